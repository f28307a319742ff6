package sheet

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tripimport/importer"
)

// headRows is the number of first rows in which the header is searched.
const headRows = 40

// An inspection is what Inspect finds below the header.
type inspection struct {
	rows    int
	ragged  []int // the numbers of the rows that do not have as many fields as the header
	columns []inspectedColumn
}

// An inspectedColumn is one column of a file.
type inspectedColumn struct {
	header  string
	types   map[string]int // cells that are not empty, by the name of their type
	samples []string       // the first different values, at most three
}

// Inspect reads the whole file and describes it in lines for people: its kind and sheets, its
// columns with their types and some values, and what a person should know about how it was read.
// header gives the index of the row that most likely holds the headers, -1 for none. An error is
// an *importer.InputError.
func Inspect(f *File, header func(rows []importer.Row) int) (string, error) {
	head, err := f.Head(headRows)
	if err != nil {
		return "", err
	}
	var found inspection
	var top importer.Row
	if i := header(head); i >= 0 {
		top = head[i]
		for i, c := range top.Cells {
			found.column(i).header = oneLine(c.Text)
		}
	}
	for row, err := range f.Rows() {
		switch {
		case err != nil:
			return "", err
		case row.Num > top.Num:
			found.add(row, top)
		}
	}
	return f.description() + found.description(top.Num) + f.noticeLines(), nil
}

// column returns the column at index i. It adds the columns up to it if they are
// missing.
func (s *inspection) column(i int) *inspectedColumn {
	for len(s.columns) <= i {
		s.columns = append(s.columns, inspectedColumn{types: map[string]int{}})
	}
	return &s.columns[i]
}

// add counts a row below the header and its cells.
func (s *inspection) add(row, header importer.Row) {
	const most = 3
	s.rows++
	if row.Width != header.Width && header.Num > 0 {
		s.ragged = append(s.ragged, row.Num)
	}
	for i, cell := range row.Cells {
		if cell.Type == importer.Empty {
			continue
		}
		c := s.column(i)
		c.types[cell.Type.String()]++
		if len(c.samples) < most && !slices.Contains(c.samples, cell.Text) {
			c.samples = append(c.samples, strings.Clone(cell.Text))
		}
	}
}

// description says what kind of file it is, and which sheet of it is read.
func (f *File) description() string {
	text := oneLine(f.name) + ": " + f.form + "\n"
	for _, s := range f.sheets {
		mark := ""
		if s.Name == f.sheetName {
			mark = "  <- read"
		}
		text += fmt.Sprintf("  sheet %q, %s%s\n", s.Name, s.Visibility, mark)
	}
	return text
}

// description says what was found below the header row, whose number is 0 if there is none.
func (s *inspection) description(headerRow int) string {
	text := fmt.Sprintf("no row looks like a header, %s\n", importer.Counted(s.rows, "row", "rows"))
	if headerRow > 0 {
		text = fmt.Sprintf("header in row %d, %s below it\n", headerRow, importer.Counted(s.rows, "row", "rows"))
	}
	if s.ragged != nil {
		text += fmt.Sprintf("%s not have as many fields as the header, the first on line %d\n", importer.Counted(len(s.ragged), "row does", "rows do"), s.ragged[0])
	}
	for i, c := range s.columns {
		types := slices.SortedFunc(maps.Keys(c.types), func(a, b string) int { // the most frequent first
			return cmp.Or(cmp.Compare(c.types[b], c.types[a]), cmp.Compare(a, b))
		})
		text += fmt.Sprintf("  %-3s %-30s %-22s %s\n", importer.ColumnName(i+1), c.header, cmp.Or(strings.Join(types, ", "), "empty"), c.sampleText())
	}
	return text
}

// oneLine puts a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// sampleText returns the samples on one line.
func (c inspectedColumn) sampleText() string {
	const longest = 40
	var quoted []string
	for _, s := range c.samples {
		if r := []rune(s); len(r) > longest {
			s = string(r[:longest-1]) + "…"
		}
		quoted = append(quoted, oneLine(s))
	}
	return strings.Join(quoted, " | ")
}

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
