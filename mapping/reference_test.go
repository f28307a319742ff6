package mapping

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// The pages with examples: the reference, and those that only prove its sentences.
const referencePage, morePage = "REFERENCE.md", "testdata/examples.md"

// A refCase is an example of the reference page: a piece of a mapping, an
// export, and what becomes of it.
type refCase struct {
	title, yaml, csv, want string
	typed                  bool // the cells carry their types
	lists                  map[string]string
	start, end             int // of want in the page
}

var (
	refHeading = regexp.MustCompile(`(?m)^### (.+)$`)
	refBlock   = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")
)

// refCases reads the examples of the page. Each is below a heading of the third
// level: a yaml block, csv blocks, and a text block with the outcome.
func refCases(t *testing.T, name string) (page string, cases []refCase) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	page = string(content)
	headings := refHeading.FindAllStringSubmatchIndex(page, -1)
	for i, h := range headings {
		end := len(page)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		c := refCase{title: page[h[2]:h[3]], lists: map[string]string{}}
		for _, b := range refBlock.FindAllStringSubmatchIndex(page[h[1]:end], -1) {
			kind, body := page[h[1]+b[2]:h[1]+b[3]], page[h[1]+b[4]:h[1]+b[5]]
			name, isList := strings.CutPrefix(kind, "csv ")
			switch {
			case kind == "yaml":
				c.yaml = body
			case kind == "csv":
				c.csv = body
			case kind == "csv typed":
				c.csv, c.typed = body, true
			case isList:
				c.lists[name] = body
			case kind == "text":
				c.want, c.start, c.end = body, h[1]+b[4], h[1]+b[5]
			}
		}
		if c.yaml != "" && c.csv != "" {
			cases = append(cases, c)
		}
	}
	return page, cases
}

// TestReference runs every example of the pages. With TRIPIMPORT_UPDATE
// set it writes the outcomes and the tables into them, for review.
func TestReference(t *testing.T) {
	all := 0
	for _, name := range []string{referencePage, morePage} {
		page, cases := refCases(t, name)
		all += len(cases)
		got := make([]string, len(cases))
		for i, c := range cases {
			t.Run(anchor(c.title), func(t *testing.T) {
				got[i] = c.run(t)
				if diff := cmp.Diff(c.want, got[i]); diff != "" && os.Getenv("TRIPIMPORT_UPDATE") == "" {
					t.Error(diff)
				}
			})
		}
		if os.Getenv("TRIPIMPORT_UPDATE") == "" {
			continue
		}
		for i := len(cases) - 1; i >= 0; i-- {
			page = page[:cases[i].start] + got[i] + page[cases[i].end:]
		}
		if name == referencePage {
			page = withTables(page)
		}
		if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if all < 30 {
		t.Fatalf("the pages have %d examples only", all)
	}
}

// TestReferenceTables checks the tables that TestReference writes: the answers of people,
// and the codes of problems, each with its meaning.
func TestReferenceTables(t *testing.T) {
	page, _ := refCases(t, referencePage)
	if diff := cmp.Diff(withTables(page), page); diff != "" {
		t.Error(diff)
	}
}

func withTables(page string) string {
	page = withTable(page, "answers", tableOfAnswers())
	return withTable(page, "codes", tableOfCodes())
}

// withTable puts the table between its two markers.
func withTable(page, name, table string) string {
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	from, to := strings.Index(page, begin), strings.Index(page, end)
	if from < 0 || to < 0 {
		return "the page has no place for the table of " + name
	}
	return page[:from+len(begin)] + table + page[to:]
}

func tableOfCodes() string {
	var b strings.Builder
	b.WriteString("| code | found in | is a | finds |\n|---|---|---|---|\n")
	for _, c := range importer.Codes() {
		fmt.Fprintf(&b, "| `%s` | %s | %v | %s |\n", c.Code, c.Stage, c.Severity, c.Meaning)
	}
	return b.String()
}

func tableOfAnswers() string {
	var b strings.Builder
	b.WriteString("| answer | about a trip that is | what happens | next import |\n|---|---|---|---|\n")
	for _, r := range importer.VerdictRules() {
		var about []string
		for _, s := range r.States {
			about = append(about, s.String())
		}
		for _, q := range r.Questions {
			about = append(about, importer.Held.String()+": "+q.String())
		}
		if r.GUIDMissing {
			about = append(about, "booked, without its GUID")
		}
		if r.Answered {
			about = append(about, "booked because a person said so")
		}
		if r.Left {
			about = append(about, "left out because a person said so")
		}
		if r.Contradicted {
			about = append(about, importer.ChangeByHand.String()+": answers contradict each other, or one came too late")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Verdict, strings.Join(about, "<br>"), r.Does, r.Then)
	}
	return b.String()
}

func anchor(title string) string {
	s := strings.ToLower(title)
	s = regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(s, "")
	return strings.ReplaceAll(s, " ", "-")
}

func (c refCase) run(t *testing.T) string {
	t.Helper()
	text := c.yaml
	if !strings.Contains(text, "mapping: 1") {
		text = "mapping: 1\nbroker: example\n" + text
	}
	m, err := Parse("example.yaml", []byte(text), openText(c.lists))
	if err != nil {
		return err.Error() + "\n"
	}
	rows := mappingtest.Rows(t, "export.csv", c.csv)
	if c.typed {
		typeCells(rows)
	}
	b, err := m.bind(rows, "export.csv") // what an example leaves out does not matter
	var input *importer.InputError
	var findings Findings
	switch {
	case errors.As(err, &input):
		return input.Error() + "\n"
	case errors.As(err, &findings):
		return findings.Error() + "\n"
	case err != nil:
		t.Fatal(err)
	}
	if err := b.Measure(func(yield func(importer.Row, error) bool) {
		for _, row := range rows {
			if row.Num > b.HeaderRow() && !yield(row, nil) {
				return
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, row := range rows {
		if row.Num > b.HeaderRow() {
			lines = append(lines, explained(b, row)...)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// explained says what a row became: the fields that its cells fill, and the
// problems.
func explained(b *Bound, row importer.Row) []string {
	var lines []string
	where := fmt.Sprintf("line %d: ", row.Num)
	if row.Sheet != "" {
		where = fmt.Sprintf("row %d: ", row.Num)
	}
	m := b.Map(row, nil)
	if m.LeftOut != "" {
		word := "left out, "
		if m.Cancelled {
			word = "cancelled, "
		}
		return []string{where + word + m.LeftOut}
	}
	for _, trip := range m.Trips {
		var values []string
		for _, p := range importer.TripProperties() {
			value := string(p.AppendValue(nil, &trip))
			typed := p.Field == importer.FieldTripType && !trip.Time().IsZero()
			if value != "" && (trip.Origin.Columns(p.Field) != nil || typed || trip.Leg != importer.OnlyLeg && p.Field == importer.FieldTripID) {
				values = append(values, fmt.Sprintf("%s %s", p.Field, value))
			}
		}
		if trip.Link != "" {
			values = append(values, "link "+trip.Link)
		}
		if trip.Leg != importer.OnlyLeg {
			values = append([]string{trip.Leg.String()}, values...)
		}
		if len(values) > 0 {
			lines = append(lines, where+strings.Join(values, "; "))
		}
	}
	for _, p := range m.AllProblems() {
		lines = append(lines, fmt.Sprintf("%s%v %s (%s): %s", where, p.Severity, p.Code, p.Cells[0].A1(), p.Message))
	}
	for _, w := range m.NewWords {
		lines = append(lines, fmt.Sprintf("%swaits (%s): %s is in no list", where, w.Cell.A1(), w.Text))
	}
	if lines == nil {
		lines = []string{where + "nothing"}
	}
	return lines
}

// typeCells turns "date 2026-12-02" into a cell of that type.
func typeCells(rows []importer.Row) {
	types := map[string]importer.CellType{
		"date": importer.DateCell, "time": importer.TimeCell, "datetime": importer.DateTimeCell,
		"number": importer.Number, "error": importer.ErrorCell, "bool": importer.Bool, "duration": importer.Duration,
	}
	for i := range rows {
		rows[i].Sheet, rows[i].Width = "Trips", 0
		for j, cell := range rows[i].Cells {
			kind, rest, ok := strings.Cut(cell.Text, " ")
			if typ, known := types[kind]; ok && known && i > 0 {
				rows[i].Cells[j] = importer.Cell{Type: typ, Text: rest}
			}
		}
	}
}
