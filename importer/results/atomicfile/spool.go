package atomicfile

import (
	"io"
	"os"
)

// spoolMemory is the number of bytes that a Spool keeps in memory.
const spoolMemory = 1 << 20

// A Spool keeps the data that is written to it until WriteTo: in memory, or in a file of
// its folder if the data is too large.
type Spool struct {
	dir  *Dir
	buf  []byte
	file *os.File
}

// NewSpool returns an empty Spool. The caller must close it before the folder is removed.
func (d *Dir) NewSpool() *Spool { return &Spool{dir: d} }

// Write implements io.Writer.
func (s *Spool) Write(p []byte) (int, error) {
	s.buf = append(s.buf, p...)
	if len(s.buf) < spoolMemory {
		return len(p), nil
	}
	return len(p), s.flush()
}

// flush moves the data in memory to the file.
func (s *Spool) flush() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.dir.Path, "spool-*"); err != nil {
			return err
		}
	}
	_, err = s.file.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// WriteTo writes the data of the Spool to out. It implements io.WriterTo.
func (s *Spool) WriteTo(out io.Writer) (int64, error) {
	if s.file == nil {
		n, err := out.Write(s.buf)
		return int64(n), err
	}
	if err := s.flush(); err != nil {
		return 0, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	return io.Copy(out, s.file)
}

// Close closes the file, if there is one.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
