package sheet

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// headRows is the number of first rows in which the header is searched.
const headRows = 40

// An inspectedColumn is one column of a file.
type inspectedColumn struct {
	header  string
	samples []string // the first different values, at most three
}

// Inspect reads the whole file and describes it in lines for people: its kind and sheets, its
// columns with some values, and what a person should know about how it was read.
// header gives the index of the row that most likely holds the headers, -1 for none. An error is
// an *importer.InputError.
func Inspect(f *File, header func(rows []importer.Row) int) (string, error) {
	head, err := f.Head(headRows)
	if err != nil {
		return "", err
	}
	var columns []inspectedColumn
	below, num := "no row looks like a header, %s\n", 0
	if i := header(head); i >= 0 {
		num = head[i].Num
		below = fmt.Sprintf("header in row %d, %%s below it\n", num)
		columns = importer.Each(head[i].Cells, func(c importer.Cell) inspectedColumn { return inspectedColumn{header: oneLine(c.Text)} })
	}
	rows := 0
	for row, err := range f.Rows() {
		if err != nil {
			return "", err
		}
		if row.Num > num {
			rows++
			columns = addSamples(columns, row)
		}
	}

	text := f.description() + fmt.Sprintf(below, importer.Counted(rows, "row", "rows"))
	for i, c := range columns {
		text += fmt.Sprintf("  %-3s %-30s %s\n", importer.ColumnName(i+1), c.header, oneLine(strings.Join(c.samples, " | ")))
	}
	return text + f.noticeLines(), nil
}

// addSamples adds the values of a row to the samples of the columns.
func addSamples(columns []inspectedColumn, row importer.Row) []inspectedColumn {
	const most = 3
	for i, cell := range row.Cells {
		if i == len(columns) {
			columns = append(columns, inspectedColumn{})
		}
		c := &columns[i]
		if cell.Type != importer.Empty && len(c.samples) < most && !slices.Contains(c.samples, cell.Text) {
			c.samples = append(c.samples, strings.Clone(cell.Text))
		}
	}
	return columns
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
