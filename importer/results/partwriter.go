package results

import (
	"archive/zip"
	"bytes"
	"io"
	"strconv"
)

// A partWriter is the zip file of a workbook. It adds the rows to the sheets, which
// excelize writes without rows.
type partWriter struct {
	*zip.Writer
	streams map[string]*stream // by the names of their parts in the zip file
}

// sheetPart returns the name of the part for the sheet with that number.
func sheetPart(id int) string { return "xl/worksheets/sheet" + strconv.Itoa(id) + ".xml" }

// Create begins a part.
func (p *partWriter) Create(name string) (io.Writer, error) {
	part, err := p.Writer.Create(name)
	if s := p.streams[name]; s != nil && err == nil {
		return &rowAdder{part, s}, nil
	}
	return part, err
}

// A rowAdder writes a sheet's part and inserts the rows.
type rowAdder struct {
	io.Writer
	stream *stream
}

// Write writes XML of the part, and the rows before the end of its sheetData element.
// excelize writes the part of a sheet without rows in one call.
func (a *rowAdder) Write(xml []byte) (int, error) {
	end := bytes.Index(xml, []byte("</sheetData>"))
	if end < 0 {
		return a.Writer.Write(xml)
	}
	n, err := a.Writer.Write(xml[:end])
	if err != nil {
		return n, err
	}
	if err := a.stream.writeRows(a.Writer); err != nil {
		return n, err
	}
	m, err := a.Writer.Write(xml[end:])
	return n + m, err
}
