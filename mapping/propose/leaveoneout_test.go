package propose

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// A layoutCase is a layout with rows, and the columns that may hold each field.
type layoutCase struct {
	name  string
	rows  []importer.Row
	truth map[importer.Field][]string // letters of columns
}

// layoutCases returns all layouts: those with a template with the rows of their small
// export, the others with rows made up for their columns.
func layoutCases(t testing.TB) []layoutCase {
	t.Helper()
	var all []layoutCase
	for _, name := range mappingtest.Layouts() {
		rows := layout(t, name)
		all = append(all, layoutCase{name, rows, truth(template(t, name), rows)})
	}
	headers := readTSV(t, "testdata/layouts.tsv")
	for _, line := range readTSV(t, "testdata/truth.tsv") {
		i := slices.IndexFunc(headers, func(h []string) bool { return h[0] == line[0] })
		c := layoutCase{name: line[0], truth: map[importer.Field][]string{}}
		fieldOf := map[int]string{}
		for _, entry := range line[1:] {
			field, names, _ := strings.Cut(entry, "=")
			for name := range strings.SplitSeq(names, "|") {
				col := columnNamed(t, headers[i][1:], name)
				c.truth[importer.Field(field)] = append(c.truth[importer.Field(field)], importer.ColumnName(col))
				fieldOf[col] = field
			}
		}
		c.rows = madeRows(headers[i][1:], fieldOf)
		all = append(all, c)
	}
	return all
}

func readTSV(t testing.TB, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.Split(line, "\t"))
		}
	}
	return lines
}

func columnNamed(t testing.TB, headers []string, name string) int {
	t.Helper()
	name, nth, _ := strings.Cut(name, "#")
	if strings.HasSuffix(name, " ") { // Trip #
		name, nth = name+"#", ""
	}
	n := 1
	if nth != "" && !strings.ContainsAny(nth, " ") {
		_, _ = fmt.Sscan(nth, &n)
	} else if nth != "" {
		name += "#" + nth
	}
	for i, h := range headers {
		if h == name {
			if n--; n == 0 {
				return i + 1
			}
		}
	}
	t.Fatalf("no column %q in %q", name, headers)
	return 0
}

// madeRows makes up rows for a layout: values of the field that a column holds, and for
// the other columns what their headers suggest.
func madeRows(headers []string, fieldOf map[int]string) []importer.Row {
	rows := []importer.Row{madeRow(1, headers)}
	for i := range 24 {
		var cells []string
		for k, h := range headers {
			cells = append(cells, madeValue(fieldOf[k+1], strings.ToLower(h), i, slices.Contains(slices.Collect(fieldsIn(fieldOf)), "date")))
		}
		rows = append(rows, madeRow(i+2, cells))
	}
	return rows
}

func fieldsIn(m map[int]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, f := range m {
			if !yield(f) {
				return
			}
		}
	}
}

func madeRow(num int, texts []string) importer.Row {
	row := importer.Row{File: "made.csv", Num: num, Width: len(texts)}
	for _, text := range texts {
		c := importer.Cell{Type: importer.Text, Text: text}
		if text == "" {
			c.Type = importer.Empty
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

func pick(i int, words ...string) string { return words[i%len(words)] }

// madeValue makes up a value for the i-th row.
func madeValue(field, header string, i int, dated bool) string {
	clock := fmt.Sprintf("%d:%02d", 6+i%12, i*5%60)
	day := fmt.Sprintf("12/%d/2026", 2+i%20)
	street := fmt.Sprintf("%d %s", 100+37*i, pick(i, "Alder Ct", "Bay Rd", "Foundry St", "Willet Ln", "Millrace Ave"))
	if !dated && strings.Contains(field, "time") {
		return day + " " + clock
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(header, w) })
	}
	_, part, found := strings.Cut(field, ".")
	if !found {
		part = field
	}
	switch {
	case has("number") && part == "address1":
		return fmt.Sprint(100 + 37*i)
	case has("streetname", "-up street", "-off street"):
		return pick(i, "Alder Ct", "Bay Rd", "Foundry St", "Willet Ln", "Millrace Ave")
	case part == "trip_id":
		return fmt.Sprintf("%d", 640100+7*i)
	case part == "rider_id":
		return fmt.Sprintf("AB%05dX", 1200+31*(i/2))
	case part == "provider":
		return "Lakeshore Transit"
	case part == "funding_source":
		return pick(i, "Harborview Health", "County Plan")
	case part == "space_type":
		return pick(i, "AMB", "WCH", "Ambulatory", "Wheelchair")
	case strings.HasSuffix(part, "phone") || part == "phone_number":
		return fmt.Sprintf("414555%04d", 100+i)
	case part == "pickup_time" || part == "appt_time":
		return clock
	case part == "date":
		return day
	case part == "event_name" && strings.HasPrefix(field, "pickup"):
		if has("first") {
			return pick(i, "Odette", "Casimir", "Thaddeus", "Calista", "Ignatius")
		}
		return pick(i, "Odette Marchbanks", "Casimir Thornbury", "Calista Moorehouse")
	case part == "event_name":
		return pick(i, "Dialysis", "Follow up", "Therapy")
	case part == "address":
		return street + ", " + pick(i, "Westfield", "Milwaukee") + ", WI 5320" + fmt.Sprint(i%10)
	case part == "address1":
		return street
	case part == "address2":
		return pick(i, "", "Apt 4", "", "Unit 12")
	case part == "city":
		return pick(i, "Westfield", "Milwaukee", "Brookfield")
	case part == "state":
		return "WI"
	case part == "zip":
		return fmt.Sprintf("532%02d", i%30)
	case part == "location_name":
		return pick(i, "Harbor Kidney Center", "Lakeview Dialysis", "Northgate Eye Clinic")
	case part == "event_comment":
		return pick(i, "", "ring twice", "", "uses a walker, slow on stairs")
	case part == "billable_distance":
		return fmt.Sprintf("%d.%d", 2+i%9, i%10)
	case part == "additional_passengers":
		return fmt.Sprint(i % 3)
	case part == "cancelled":
		return pick(i, "Scheduled", "Scheduled", "Canceled")
	case part == "will_call":
		return pick(i, "N", "N", "Y")
	}
	return madeByHeader(header, has, i, street, clock, day)
}

// madeByHeader makes up a value for a column that holds no field.
func madeByHeader(header string, has func(...string) bool, i int, street, clock, day string) string {
	switch {
	case has("cost", "fare type 1", "fee", "co-pay", "copay", "share", "adjust", "full fare"):
		return fmt.Sprintf("%d.%02d", 10+i, i*7%100)
	case has("dob", "birth"):
		return fmt.Sprintf("%d/%d/19%d", 1+i%12, 1+i%28, 40+i%50)
	case has("age") && !has("passage"):
		return fmt.Sprint(40 + i%50)
	case has("arrival", "departure", "time") && !has("minutes", "option", "wait", "status"):
		return clock
	case has("date"):
		return day
	case has("phone"):
		return fmt.Sprintf("414555%04d", 200+i)
	case has("driver", "escort name", "booker"):
		return pick(i, "Driver Nine", "Driver Four")
	case has("city"):
		return pick(i, "Westfield", "Milwaukee")
	case has("state"):
		return "WI"
	case has("zip"):
		return "53211"
	case has("address"):
		return street
	case has("last name", "lastname"):
		return pick(i, "Marchbanks", "Thornbury", "Moorehouse")
	case has("county"):
		return pick(i, "Wayne", "Washtenaw")
	case has("id", "#", "number", "case", "ref", "auth"):
		return fmt.Sprintf("%d", 880000+13*i)
	case has("has note", "indicator", "count", "team"):
		return fmt.Sprint(i % 2)
	case has("minutes", "month", "year", "wait"):
		return fmt.Sprint(10 + i)
	case has("type", "zone", "polygon", "mobility", "reason"):
		return pick(i, "One", "Two", "Three")
	}
	return ""
}

// A score compares the proposal for a layout with what its columns hold.
type score struct {
	fields, right, wrong, surelyWrong, decisions int
}

// proposeWithout proposes a mapping for a layout without the words and patterns that come from
// that layout alone.
func proposeWithout(c layoutCase) Proposal {
	words, patterns := wholeVocabulary, wholePatterns
	defer func() { wholeVocabulary, wholePatterns = words, patterns }()
	v, p := vocabularyWithout(c.name), patternsWithout(c.name)
	wholeVocabulary, wholePatterns = func() *vocabulary { return v }, func() []pattern { return p }
	return Mapping(c.rows[:min(len(c.rows), 40)], c.rows, nil)
}

// TestLeaveOneOut proposes a mapping for each layout without the words, patterns and
// template that come from that layout alone. With -v it prints a line for each layout and
// the fields that were confused. It checks the shares that the program promises.
func TestLeaveOneOut(t *testing.T) {
	var sum score
	var decisions []int
	confused := map[string]int{}
	for _, c := range layoutCases(t) {
		p := proposeWithout(c)
		s := compare(c, &p, confused)
		t.Logf("%-18s %2d of %2d right, %d wrong (%d of them surely), %d decisions", c.name, s.right, s.fields, s.wrong, s.surelyWrong, s.decisions)
		sum.fields, sum.right, sum.wrong, sum.surelyWrong = sum.fields+s.fields, sum.right+s.right, sum.wrong+s.wrong, sum.surelyWrong+s.surelyWrong
		decisions = append(decisions, s.decisions)
	}

	slices.Sort(decisions)
	median := decisions[len(decisions)/2]
	t.Logf("%d of %d fields right (%.1f %%), %d wrong, %d wrong and over 0.8 sure (%.2f %%); median of decisions %d",
		sum.right, sum.fields, 100*float64(sum.right)/float64(sum.fields), sum.wrong, sum.surelyWrong, 100*float64(sum.surelyWrong)/float64(sum.fields), median)
	for what, n := range confused {
		t.Logf("  %s (%d)", what, n)
	}
	if sum.right*10 < sum.fields*9 || sum.surelyWrong*200 > sum.fields || median > 4 {
		t.Error("less than was promised")
	}
}

// compare counts what a proposal has right.
func compare(c layoutCase, p *Proposal, confused map[string]int) score {
	s := score{fields: len(c.truth)}
	found := map[importer.Field]bool{}
	for _, f := range p.fields {
		found[f.Field] = true
		switch {
		case slices.Contains(c.truth[f.Field], f.Ref()):
			s.right++
		default:
			s.wrong++
			if f.Sure > 0.8 {
				s.surelyWrong++
			}
			confused[fmt.Sprintf("%s: %s is proposed for %q, %.2f sure", c.name, f.Field, f.Header, f.Sure)]++
		}
	}
	for f := range c.truth {
		if !found[f] {
			confused[fmt.Sprintf("%s: %s is not found", c.name, f)]++
		}
	}
	s.decisions = len(p.Draft("x", Names{}).Questions) - 1 // what every office is asked, whether files are complete, does not count
	return s
}

// TestInventedLayouts proposes mappings for layouts that were invented after the
// vocabulary was made.
func TestInventedLayouts(t *testing.T) {
	right, fields, surelyWrong := 0, 0, 0
	for _, line := range readTSV(t, "testdata/invented.tsv") {
		c := layoutCase{name: line[0], truth: map[importer.Field][]string{}}
		var headers []string
		fieldOf := map[int]string{}
		for i, entry := range line[1:] {
			header, field, _ := strings.Cut(entry, "=")
			headers = append(headers, header)
			if field != "" {
				c.truth[importer.Field(field)] = append(c.truth[importer.Field(field)], importer.ColumnName(i+1))
				fieldOf[i+1] = field
			}
		}
		c.rows = madeRows(headers, fieldOf)
		p := Mapping(c.rows[:20], c.rows, nil)
		confused := map[string]int{}
		s := compare(c, &p, confused)
		right, fields, surelyWrong = right+s.right, fields+s.fields, surelyWrong+s.surelyWrong
		for what := range confused {
			t.Log(what)
		}
	}
	t.Logf("%d of %d fields right, %d wrong and over 0.8 sure", right, fields, surelyWrong)
	if right*10 < fields*9 || surelyWrong*100 > fields {
		t.Error("less than was promised")
	}
}
