package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// maxParts bounds the entries of a workbook; real ones have dozens.
	maxParts = 5_000
	// maxPart bounds what any part but a worksheet unpacks to. A million rows
	// are real, a 256 MB style sheet is not.
	maxPart = 256 << 20
)

// A damage says what is wrong with a workbook: Reason for a dispatcher, and
// the error that showed it, which is for tests.
type damage struct {
	reason string
	cause  error
}

func (d *damage) Error() string { return d.reason }
func (d *damage) Unwrap() error { return d.cause }

// Faults that have a remedy of their own.
var (
	errTooLarge = errors.New("unpacks to more than a workbook needs")
	errEncoding = errors.New("is in an encoding that can't be read")
)

// parts is the zip directory of a workbook. Part names are found without
// regard to case and to the kind of slash, as spreadsheet programs do.
type parts struct {
	byName map[string]*zip.File
}

// openParts reads the directory.
func openParts(r io.ReaderAt, size int64) (*parts, error) {
	if n := declaredEntries(r, size); n > maxParts {
		return nil, &damage{"it holds more parts than a workbook can have", errTooLarge}
	}
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &damage{"its end is missing or damaged, as after a download that broke off", err}
	}
	if len(z.File) > maxParts {
		return nil, &damage{"it holds more parts than a workbook can have", errTooLarge}
	}
	p := &parts{byName: make(map[string]*zip.File, len(z.File))}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		key := partKey(f.Name)
		if p.byName[key] != nil {
			return nil, &damage{"it holds two parts of one name", nil}
		}
		p.byName[key] = f
	}
	return p, nil
}

// declaredEntries gives the number of entries that the end of the directory
// declares, so that a directory of millions is refused before it is read. It is
// 0 where there is no end, which zip.NewReader then reports.
func declaredEntries(r io.ReaderAt, size int64) int {
	const record, comment = 22, 1<<16 - 1
	tail := make([]byte, min(size, record+comment))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return 0
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < record {
		return 0
	}
	return int(binary.LittleEndian.Uint16(tail[i+10:]))
}

// partKey is the form under which a part is found.
func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// has reports whether the part is there.
func (p *parts) has(name string) bool { return p.byName[partKey(name)] != nil }

// resolve gives the name of the part that a relationship of the part base
// points to.
func resolve(base, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if strings.HasPrefix(target, "/") {
		return path.Clean(target[1:])
	}
	return path.Join(path.Dir(base), target)
}

// A part is one open entry. It must be read to its end, which alone proves its
// length and checksum.
type part struct {
	path string
	in   io.ReadCloser
	*scanner
}

// open opens a part as XML; limited holds it to maxPart.
func (p *parts) open(name string, limited bool) (*part, error) {
	f := p.byName[partKey(name)]
	if f == nil {
		return nil, &damage{"its part " + name + " is missing", nil}
	}
	if limited && f.UncompressedSize64 > maxPart {
		return nil, &damage{"its part " + name + " " + errTooLarge.Error(), errTooLarge}
	}
	// archive/zip takes a checksum of zero for one that was never set.
	if f.CRC32 == 0 && f.UncompressedSize64 > 0 {
		return nil, &damage{"its part " + name + " has no checksum", zip.ErrChecksum}
	}
	in, err := f.Open()
	if err != nil {
		return nil, &damage{"its part " + name + " is damaged", err}
	}
	text, err := utf8Reader(in)
	if err != nil {
		_ = in.Close()
		return nil, partDamage(name, err)
	}
	return &part{path: name, in: in, scanner: newScanner(text)}, nil
}

// readTags reads a part to its end, which proves that it is whole, and calls tag
// at each start tag. tag may read on in the part, up to the end of the element.
func (p *parts) readTags(name string, tag func(*part) error) error {
	part, err := p.open(name, true)
	if err != nil {
		return err
	}
	defer part.close()

	for {
		tok, err := part.next()
		switch {
		case err != nil:
			return part.fault(err)
		case tok == endOfPart:
			return nil
		case tok != startTag:
			continue
		}
		if err := tag(part); err != nil {
			return part.fault(err)
		}
	}
}

// close ends the reading. Its error says nothing that reading to the end did
// not.
func (p *part) close() { _ = p.in.Close() }

// fault says that err was met in the part.
func (p *part) fault(err error) error { return partDamage(p.path, err) }

func partDamage(name string, err error) error {
	var d *damage
	switch {
	case errors.As(err, &d):
		return err
	case errors.Is(err, errDTD):
		return &damage{"its part " + name + " declares a document type, which no workbook needs and attacks use", err}
	case errors.Is(err, errEncoding):
		return &damage{"its part " + name + " " + errEncoding.Error(), err}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &damage{"its part " + name + " breaks off", err}
	}
	return &damage{"its part " + name + " is damaged", err}
}

// utf8Reader gives the part in UTF-8. Parts are in UTF-8 or, rarely, in UTF-16.
func utf8Reader(in io.Reader) (io.Reader, error) {
	head := make([]byte, 256)
	n, err := io.ReadFull(in, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil, unexpected(err)
	}
	head = head[:n]
	all := io.MultiReader(bytes.NewReader(head), in)
	if err == io.ErrUnexpectedEOF {
		// The checksum has been compared already; what follows is the end.
		all = bytes.NewReader(head)
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err := io.CopyN(io.Discard, all, 3)
		return all, err
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00")):
		return transform.NewReader(all, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), nil
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<")):
		return transform.NewReader(all, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()), nil
	}
	switch declaredEncoding(head) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return all, nil
	case "iso-8859-1", "windows-1252":
		return transform.NewReader(all, charmap.Windows1252.NewDecoder()), nil
	}
	return nil, errEncoding
}

// declaredEncoding gives the encoding that the XML declaration names, in lower
// case; empty where it names none.
func declaredEncoding(head []byte) string {
	declaration, _, ok := bytes.Cut(head, []byte("?>"))
	if !ok || !bytes.HasPrefix(declaration, []byte("<?xml")) {
		return ""
	}
	_, after, ok := bytes.Cut(declaration, []byte("encoding"))
	if !ok {
		return ""
	}
	name := strings.TrimLeft(string(after), "= \t\r\n\"'")
	if i := strings.IndexAny(name, "\"'"); i >= 0 {
		name = name[:i]
	}
	return strings.ToLower(name)
}

// PartNames lists the parts of a zip archive, in lower case and with forward
// slashes, so that a caller can tell a workbook from other archives. It fails
// where the archive is damaged or has more parts than a workbook can have.
func PartNames(r io.ReaderAt, size int64) ([]string, error) {
	p, err := openParts(r, size)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(p.byName)), nil
}
