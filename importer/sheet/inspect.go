package sheet

import (
	"fmt"
	"strings"

	"tripimport/importer"
)

// headRows is the number of first rows in which the header is searched.
const headRows = 40

// Inspect reads the whole file and describes it in lines for people: its kind and sheets, its
// columns, and what a person should know about how it was read.
// header gives the index of the row that most likely holds the headers, -1 for none. An error is
// an *importer.InputError.
func Inspect(f *File, header func(rows []importer.Row) int) (string, error) {
	head, err := f.Head(headRows)
	if err != nil {
		return "", err
	}
	text, columns, num := "no row looks like a header, %s\n", "", 0
	if i := header(head); i >= 0 {
		num = head[i].Num
		text = fmt.Sprintf("header in row %d, %%s below it\n", num)
		for col, c := range head[i].Cells {
			columns += fmt.Sprintf("  %-3s %s\n", importer.ColumnName(col+1), oneLine(c.Text))
		}
	}
	rows := 0
	for row, err := range f.Rows() {
		if err != nil {
			return "", err
		}
		if row.Num > num {
			rows++
		}
	}
	return f.description() + fmt.Sprintf(text, importer.Counted(rows, "row", "rows")) + columns + f.noticeLines(), nil
}

// description says what kind of file it is, and which sheet of it is read.
func (f *File) description() string {
	text := oneLine(f.name) + ": " + f.form + "\n"
	for _, s := range f.sheets {
		mark := ""
		if s.Name == f.sheetName {
			mark = "  <- read"
		}
		text += fmt.Sprintf("  sheet %q%s\n", sheetName(s), mark)
	}
	return text
}

// oneLine puts a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// noticeLines returns the notices, each on a line.
func (f *File) noticeLines() (text string) {
	for _, n := range f.Notices() {
		line := n.Message
		if len(n.Cells) > 0 {
			line = n.Cells[0].String() + ": " + line
		}
		if n.Fix != "" {
			line += "; " + n.Fix
		}
		text += "notice: " + oneLine(line) + "\n"
	}
	return text
}
