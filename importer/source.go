package importer

import "iter"

// A Source is an input file, open during a run. Its rows can be read several times,
// but not concurrently.
type Source interface {
	// Name returns the file's name without its folder.
	Name() string
	// Hash returns the SHA-256 of the file's bytes, in hex.
	Hash() string
	// Rows reads the rows below the header in order, without blank ones. A row's Cells
	// are valid until the next row; clone the row to keep it. After an error there are no
	// more rows, and nothing of the file may be sent. The error is an *InputError if
	// something is wrong with the file.
	Rows() iter.Seq2[Row, error]
}

// An InputError says why a file cannot be read, or is not the expected one.
type InputError struct {
	// File is the file's name.
	File string
	// At is the address of what is wrong, as exactly as it is known. It is zero for the
	// file as a whole.
	At Ref
	// Reason says what is wrong and Fix what to do, for a dispatcher.
	Reason, Fix string
}

// Error returns the file, the address and the Reason.
func (e *InputError) Error() string {
	s := e.File
	if at := e.At.String(); at != "" {
		s += ", " + at
	}
	return s + ": " + e.Reason
}

// Advice returns Fix.
func (e *InputError) Advice() []Advice { return []Advice{{Text: e.Fix}} }
