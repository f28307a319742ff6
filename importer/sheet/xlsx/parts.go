package xlsx

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"path"
	"strings"
)

const (
	// maxParts bounds the number of parts of a workbook. Real ones have dozens.
	maxParts = 5_000
	// maxPart bounds the unpacked bytes of the shared strings, and maxSmallPart those of every
	// other part but a worksheet: a million rows are real, a style sheet of 64 MB is not.
	maxPart      = 256 << 20
	maxSmallPart = 64 << 20
)

// A damage is the error for a damaged workbook, in words for a dispatcher.
type damage string

func (d damage) Error() string { return string(d) }

// damageOf returns the error for err, which was met in a part or a sheet; nil for none.
func damageOf(what string, err error) error {
	if _, ok := errors.AsType[damage](err); ok || err == nil {
		return err
	}
	wrong := "is damaged"
	if e, ok := errors.AsType[partError](err); ok {
		wrong = string(e)
	} else if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		wrong = "breaks off"
	}
	return damage("its " + what + " " + wrong)
}

// parts is the zip directory of a workbook. Names of parts match in either case
// and with either slash, as in spreadsheet programs.
type parts map[string]*zip.File

// openParts reads the zip directory.
func openParts(r io.ReaderAt, size int64) (parts, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, damage("its end is missing or damaged, as after an incomplete download")
	}
	if len(z.File) > maxParts {
		return nil, damage("it has more parts than a workbook can have")
	}

	p := make(parts, len(z.File))
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}

		key := partKey(f.Name)
		if p[key] != nil {
			return nil, damage("it has two parts with one name")
		}

		p[key] = f
	}

	return p, nil
}

// partKey returns the form of a name in which names of parts are compared.
func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// has reports whether the workbook has the part.
func (p parts) has(name string) bool { return p[partKey(name)] != nil }

// resolve returns the name of the part that target, in a relationship of the part
// base, points to.
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

// A part is an open part. Only reading it to its end verifies its length and
// checksum.
type part struct {
	io.Closer
	scanner
}

// open opens a part as XML. It refuses a part that unpacks to more than so many bytes.
func (p parts) open(name string, most uint64) (*part, error) {
	f := p[partKey(name)]
	if f == nil {
		return nil, damage("its part " + name + " is missing")
	}
	if f.UncompressedSize64 > most {
		return nil, damageOf("part "+name, errTooLarge)
	}
	// archive/zip does not verify a checksum of zero.
	if f.CRC32 == 0 && f.UncompressedSize64 > 0 {
		return nil, damage("its part " + name + " has no checksum")
	}

	in, err := f.Open()
	if err != nil {
		return nil, damageOf("part "+name, err)
	}

	text := bufio.NewReaderSize(in, maxToken)
	if err := skipMark(text); err != nil {
		_ = in.Close()
		return nil, damageOf("part "+name, err)
	}
	return &part{in, scanner{in: text}}, nil
}

// decode reads a part to its end, and into v what its tags name.
func (p parts) decode(name string, v any) error {
	part, err := p.open(name, maxSmallPart)
	if err != nil {
		return err
	}

	defer func() { _ = part.Close() }() // it was read, or is damaged
	in := xml.NewDecoder(part.in)
	in.CharsetReader = func(_ string, utf8 io.Reader) (io.Reader, error) { return utf8, nil }
	err = in.Decode(v)
	if err == nil {
		_, err = io.Copy(io.Discard, part.in)
	}
	return damageOf("part "+name, err)
}

// skipMark skips the byte order mark of a part, which must be in UTF-8. It returns errEncoding for UTF-16; what is
// in another encoding fails where it is no UTF-8.
func skipMark(text *bufio.Reader) error {
	head, err := text.Peek(3)
	switch {
	case err != nil && err != io.EOF: // a short part ends there
		return err
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return errEncoding
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err = text.Discard(3)
		return err
	}
	return nil
}

// isTrue reads a boolean attribute.
func isTrue(v string) bool { return v == "1" || v == "true" || v == "on" }
