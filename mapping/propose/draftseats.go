package propose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// spaceType writes the table of codes. A code that has no usual meaning is left
// to the office; until it is in the table, its rows have a fault.
func (w *draft) spaceType() {
	f, ok := w.fields[importer.FieldSpaceType]
	if !ok {
		w.askColumn(importer.FieldSpaceType, 2, "which column has the space type: who walks, who needs a wheelchair or a stretcher?", nil, "", w.largestSeat()...)
		for _, c := range w.p.sheet.columns {
			if mayBeSeats(c) {
				_, questions := w.seatsOf(c)
				w.later = append(w.later, questions...)
			}
		}
		return
	}

	columns := []*column{w.use(f.column)}
	flags := w.seatFlags(f.column)
	if second := w.find(func(x *column) bool { return x.is(isSpace) && lacks(x, f.column) }); second != nil {
		columns = append(columns, second)
	}
	w.writeSeats(flags, columns, f)
}

// writeSeats writes the space type: the first that flags, or the codes of columns, give. f is the reason for the
// first of the columns.
func (w *draft) writeSeats(flags []string, columns []*column, f Field) {
	w.line("  space_type:")
	item, below := "    ", "    "
	if flags != nil || len(columns) > 1 {
		w.line("    first:")
		item, below = "      - ", "        "
	}
	for _, flag := range flags {
		w.line(item + flag)
	}
	for _, c := range columns {
		w.noted(item+"column: "+w.name(c), f)
		w.line(below + "table:")
		w.seatCodes(c, below+"  ")
		f = Field{}
	}
}

// largestSeat offers columns that count the seats of each kind: the largest of which there is one is the
// rider's, and the others are of those who ride along.
func (w *draft) largestSeat() []Choice {
	name := map[string]string{}
	var called []string
	for _, seat := range [][2]string{{"STR", "stretcher"}, {"WCH", "wheelchair"}, {"AMB", "ambulatory"}} {
		c := w.find(func(c *column) bool {
			return (c.says(seat[1]) || usualSpaceType(c.Header) == seat[0]) && !c.says("aidflag") && (c.filled == 0 || c.share(isNumberOfSeats) >= nearlyAll)
		})
		if c == nil {
			return nil
		}
		name[seat[0]], called = c.name, append(called, c.String())
	}
	w.seats = true
	above := func(code string) string { return "{column: " + name[code] + ", above: 0}" }
	larger := above("WCH") + ", " + above("STR")
	lines := []string{
		"  space_type:", "    first:",
		"      - {const: STR, when: " + above("STR") + "}", "      - {const: WCH, when: " + above("WCH") + "}", "      - {const: AMB, when: " + above("AMB") + "}",
		"  additional_passengers:     # the rider has one of the seats",
		"    WCH:", "      - {column: " + name["WCH"] + ", when: " + above("STR") + "}", "      - {column: " + name["WCH"] + ", less: 1, when: {not: " + above("STR") + "}}",
		"    AMB:", "      - {column: " + name["AMB"] + ", when: [" + larger + "]}", "      - {column: " + name["AMB"] + ", less: 1, when: {not: [" + larger + "]}}",
	}
	return []Choice{{Text: "the largest of the seats in " + strings.Join(called, ", ") + "; the others ride along", line: strings.Join(lines, "\n")}}
}

func isNumberOfSeats(c cell) bool {
	_, ok := values.Count(c.text)
	return ok
}

// mayBeSeats reports whether a column has few enough different values for space types.
func mayBeSeats(c *column) bool {
	const few = 12
	return len(c.distinct) > 0 && len(c.distinct) <= few
}

// seatsOf returns the lines that take the space type from a column, with a question about each of
// its codes that has no usual meaning.
func (w *draft) seatsOf(c *column) (lines string, questions []Question) {
	codes := &draft{p: w.p, used: map[int]bool{}}
	codes.writeSeats(nil, []*column{c}, Field{})
	return codes.lines(), codes.questions
}

// seatFlags returns the space types that columns of yes and no or of numbers of seats give, the
// largest first. They take precedence over the code in seats.
func (w *draft) seatFlags(seats *column) []string {
	var flags []string
	for _, seat := range []struct{ concept, code string }{{"stretcher", "STR"}, {"wheelchair", "WCH"}} {
		for _, c := range w.findAll(func(c *column) bool {
			return c.says(seat.concept) && c.is(isFlag) && !c.says("additional", "escort", "notes", "passengers", "mobility") &&
				(strings.Contains(strings.ToLower(c.Header), "wheel") || c.marks(seat.code, seats)) // WC may be a will call
		}) {
			when := "{flag: " + w.name(c) + "}"
			flags = append(flags, "{const: "+seat.code+", when: "+when+"}")
		}
	}
	return flags
}

// marks reports whether yes in a column stands beside no other space type than that one, nor, if that is a wheelchair,
// beside an unknown code.
func (c *column) marks(code string, seats *column) bool {
	for i, which := range c.index {
		if which >= 0 && isYes(c.distinct[which]) && seats.index[i] >= 0 {
			if other := seatCode(seats.distinct[seats.index[i]].text); other != code && (other != "" || code == "WCH") {
				return false
			}
		}
	}
	return true
}

// seatCodes writes the table of a column's codes, with a question about each that has no
// usual meaning.
func (w *draft) seatCodes(c *column, indent string) {
	seen := map[string]bool{}
	var open []string
	for _, v := range c.distinct {
		key := values.FoldCase(v.text)
		if seen[key] || len(seen) == 20 || mapping.LooksCancelled(v.text) {
			continue
		}
		seen[key] = true
		if code := seatCode(v.text); code != "" {
			w.line(indent + quoted(v.text) + ": " + code)
		} else {
			open = append(open, v.text)
		}
	}

	if len(seen) == len(open) {
		w.line(indent + "Ambulatory: AMB")
		w.line(indent + "Wheelchair: WCH")
	}
	for _, text := range open {
		line := indent + quoted(text) + ": "
		q := Question{Ask: fmt.Sprintf("in %q, which space type is %q?", c.Header, text)}
		for _, seat := range [][2]string{{"AMB", "walks"}, {"WCH", "wheelchair"}, {"STR", "stretcher"}} {
			q.Choices = append(q.Choices, Choice{Text: seat[0] + ": " + seat[1], line: line + seat[0]})
		}
		w.ask(q)
	}
}

// seatCode returns what a code means in a column of space types, where W/C is not a will
// call; empty if brokers mean different things by it.
func seatCode(text string) string {
	if means(text, "WCH among space types") != "" {
		return "WCH"
	}
	return usualSpaceType(text)
}

// passengers writes who rides along, by columns that count them and by counts under a label in notes. A count of all
// passengers includes the rider. Approval asks about every other column.
func (w *draft) passengers() {
	if w.seats { // the answer about the space type says who rides along
		return
	}
	f := w.fields[importer.FieldAdditional]
	columns, labelled := w.counting(f.column), w.labelledCounts()
	if columns == nil && labelled == nil {
		return
	}
	if f.column != nil && isTotal(f.column) {
		f.Why += "; the rider seems to be one of them"
	}
	w.line("  additional_passengers:")
	for _, code := range []string{"AMB", "WCH"} {
		counts := labelled
		for _, c := range columns {
			if c.says("wheelchair") == (code == "WCH") {
				counts, f.column = append(counts, w.count(c)), c
			}
		}
		if counts != nil {
			w.noted("    "+code+": "+oneOrList(counts), f)
		}
		labelled = nil // it is of those who walk
	}
}

// counting returns the columns that count those who ride along, with first, if that may be one. Two columns may be
// about the same people: one of yes and no is taken only if no other column counts them.
func (w *draft) counting(first *column) []*column {
	total := first != nil && isTotal(first)
	columns := w.findAll(func(c *column) bool {
		return c == first && (total || c.is(isCount) || c.filled == 0) || !total && isCompanion(c) && c.is(isCount)
	})
	flag := w.find(func(c *column) bool { return isCompanion(c) && c.is(isFlag) })
	if columns == nil && flag != nil {
		columns = append(columns, flag)
	}
	return columns
}

// companionLabel matches people who ride along in a note, such as PCA : 1.
var companionLabel = regexp.MustCompile(`(?i)\b(PCA|AEsc|CEsc|escorts?|attendants?|companions?) *: *\d`)

// labelledCounts returns the counts that notes have under a label.
func (w *draft) labelledCounts() []string {
	var all []string
	for _, c := range w.p.sheet.columns {
		for _, v := range c.distinct {
			for _, m := range companionLabel.FindAllStringSubmatch(v.text, -1) {
				if count := c.with(`extract: '` + m[1] + ` *: *(\d+)'`); !slices.Contains(all, count) {
					all = append(all, count)
				}
			}
		}
	}
	return all
}

// isCompanion reports whether a column is about people who ride along.
func isCompanion(c *column) bool {
	people := c.says("escort") || c.says("additional") && (c.says("rider", "passengers", "name", "ambulatory", "wheelchair") || c.is(isCount) || c.is(isFlag))
	return people && c.filled > 0 && (c.is(isCount) || c.is(isFlag) || c.is(isText)) &&
		!isTotal(c) && !c.says("appointment", "notes", "cost", "aidflag", "phone", "type", "dob", "age", "child", "time", "date") &&
		(c.is(isCount) || !c.says("id"))
}

// count returns the count of people in a column.
func (w *draft) count(c *column) string {
	switch {
	case isTotal(c):
		return w.use(c).with("less: 1")
	case c.is(isFlag) && !c.is(isCount):
		return w.use(c).with("table: " + flagTable(c))
	}
	return w.name(c)
}

// isTotal reports whether a column counts all passengers.
func isTotal(c *column) bool {
	return c.says("passengers", "rider") && !c.says("additional", "escort") && c.says("count", "passengers")
}

// flagTable returns a table that counts the words of a column of yes and no.
func flagTable(c *column) string {
	words := []string{"Y: 1", "N: 0"}
	for _, v := range c.distinct {
		if set, known := values.Flag(v.text); known && !slices.Contains([]string{"y", "n"}, strings.ToLower(v.text)) {
			words = append(words, quoted(v.text)+": "+map[bool]string{true: "1", false: "0"}[set])
		}
	}
	return "{" + strings.Join(words, ", ") + "}"
}
