package sheet

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"tripimport/importer"
)

// A Report describes a file as the reader sees it. The command inspect prints
// it.
type Report struct {
	File      string
	Kind      string
	Encoding  string
	Delimiter string
	Sheets    []SheetInfo
	// Sheet is the name of the sheet that is read. It is empty for CSV.
	Sheet string
	// HeaderRow is the number of the row that most likely is the header, 0 if
	// none looks like one.
	HeaderRow int
	// Rows counts the rows below the header that are not blank, or all such
	// rows if there is no header.
	Rows    int
	Columns []Column
	// Ragged counts the rows of a CSV file that do not have as
	// many fields as the header. FirstRagged is the number of the first.
	Ragged      int
	FirstRagged int
	// Notices are what a person should know about how the file was read.
	Notices []string
}

// A Column describes one column of a Report.
type Column struct {
	Letter string
	Num    int
	Header string
	// Filled counts the cells below the header that are not empty.
	Filled int
	// Types counts those cells by the name of their type.
	Types map[string]int
	// Samples are the first different values, at most three.
	Samples []string
}

// headRows is the number of first rows in which the header is searched.
const headRows = 40

// maxSamples is the number of sample values of a column in a report.
const maxSamples = 3

// Inspect reads the whole file and describes it. header gives the index of the row that
// most likely holds the headers, -1 for none. An error is an *importer.InputError; the
// report is not complete then.
func Inspect(f *File, header func(rows []importer.Row) int) (Report, error) {
	r := Report{
		File: f.Name(), Kind: f.Kind(), Encoding: f.Encoding(), Delimiter: f.Delimiter(),
		Sheets: f.Sheets(), Sheet: f.SheetName(),
	}

	head, err := f.Head(headRows)
	if err != nil {
		return r, err
	}

	width := 0
	if i := header(head); i >= 0 {
		r.HeaderRow, width = head[i].Num, head[i].Width
		r.nameColumns(head[i])
	}

	for row, err := range f.Rows() {
		if err != nil {
			return r, err
		}
		if row.Num <= r.HeaderRow {
			continue
		}

		r.addRow(row)
		if row.Width != width && r.HeaderRow > 0 {
			if r.Ragged++; r.Ragged == 1 {
				r.FirstRagged = row.Num
			}
		}
	}

	for _, n := range f.Notices() {
		r.Notices = append(r.Notices, sentence(n))
	}

	return r, nil
}

// sentence returns a notice as a sentence.
func sentence(n importer.Problem) string {
	s := n.Message
	if len(n.Cells) > 0 {
		s = n.Cells[0].String() + ": " + s
	}

	if n.Fix != "" {
		s += "; " + n.Fix
	}
	return s
}

// nameColumns returns the columns their headers.
func (r *Report) nameColumns(header importer.Row) {
	for i, c := range header.Cells {
		r.column(i).Header = strings.Join(strings.Fields(c.Text), " ")
	}
}

// column returns the column at index i. It adds the columns up to it if they are
// missing.
func (r *Report) column(i int) *Column {
	for len(r.Columns) <= i {
		n := len(r.Columns) + 1
		r.Columns = append(r.Columns, Column{Letter: importer.ColumnName(n), Num: n, Types: map[string]int{}, Samples: []string{}})
	}
	return &r.Columns[i]
}

// addRow counts a row and its cells.
func (r *Report) addRow(row importer.Row) {
	r.Rows++
	for i, cell := range row.Cells {
		if cell.Type == importer.Empty {
			continue
		}

		c := r.column(i)
		c.Filled++
		c.Types[cell.Type.String()]++
		if len(c.Samples) < maxSamples && !slices.Contains(c.Samples, cell.Text) {
			c.Samples = append(c.Samples, strings.Clone(cell.Text))
		}
	}
}

// WriteText writes the report as text for people.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", oneLine(r.File), r.Kind)
	if r.Encoding != "" {
		fmt.Fprintf(&b, ", %s", r.Encoding)
	}

	if r.Delimiter != "" {
		fmt.Fprintf(&b, ", delimiter %s", r.Delimiter)
	}

	b.WriteByte('\n')
	for _, s := range r.Sheets {
		mark := ""
		if s.Name == r.Sheet {
			mark = "  <- read"
		}
		fmt.Fprintf(&b, "  sheet %q, %s%s\n", s.Name, s.Visibility, mark)
	}

	if r.HeaderRow > 0 {
		fmt.Fprintf(&b, "header in row %d, %s below it\n", r.HeaderRow, importer.Counted(r.Rows, "row", "rows"))
	} else {
		fmt.Fprintf(&b, "no row looks like a header, %s\n", importer.Counted(r.Rows, "row", "rows"))
	}

	if r.Ragged > 0 {
		fmt.Fprintf(&b, "%s not have as many fields as the header, the first on line %d\n", importer.Counted(r.Ragged, "row does", "rows do"), r.FirstRagged)
	}

	for _, c := range r.Columns {
		fmt.Fprintf(&b, "  %-3s %-30s %-22s %s\n", c.Letter, oneLine(c.Header), c.typeText(), c.sampleText())
	}

	for _, n := range r.Notices {
		fmt.Fprintf(&b, "notice: %s\n", oneLine(n))
	}

	_, err := io.WriteString(w, b.String())
	return err
}

// typeText returns the column's types, the most frequent first.
func (c Column) typeText() string {
	names := slices.SortedFunc(maps.Keys(c.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Types[b], c.Types[a]), cmp.Compare(a, b))
	})
	return cmp.Or(strings.Join(names, ", "), "empty")
}

// oneLine puts a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// sampleText returns the samples on one line.
func (c Column) sampleText() string {
	var quoted []string
	for _, s := range c.Samples {
		if r := []rune(s); len(r) > 40 {
			s = string(r[:39]) + "…"
		}
		quoted = append(quoted, oneLine(s))
	}

	return strings.Join(quoted, " | ")
}
