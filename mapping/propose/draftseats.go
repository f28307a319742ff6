package propose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// spaceType writes the table of codes. A code that has no usual meaning is left
// to the office; until it is in the table, its rows have a fault.
func (w *draft) spaceType() {
	f, ok := w.fields[importer.FieldSpaceType]
	if !ok {
		w.decide(importer.FieldSpaceType, "which column has the space type: who walks, who needs a wheelchair or a stretcher?", nil, "")
		return
	}

	c := w.column(f)
	w.line("  space_type:")
	name := strings.TrimSuffix(strings.TrimPrefix(w.withKeys(c, ""), "{"), ", }")
	indent := "    "
	if flags := w.seatFlags(); flags != nil {
		w.line("    first:")
		for _, flag := range flags {
			w.line("      - " + flag)
		}
		w.noted("      - "+name, f)
		indent = "        "
	} else {
		w.noted(indent+name, f)
	}
	w.line(indent + "table:")
	w.seatCodes(c, indent+"  ")
}

// seatFlags returns the space types that columns of yes and no give, the largest
// first. They take precedence over the code.
func (w *draft) seatFlags() []string {
	var flags []string
	for _, seat := range []struct{ concept, code string }{{"stretcher", "STR"}, {"wheelchair", "WCH"}} {
		if c := w.find(func(c *column) bool {
			return c.says(seat.concept) && c.is(isFlag) && !c.says("count", "additional", "escort", "notes", "passengers", "mobility")
		}); c != nil {
			flags = append(flags, "{const: "+seat.code+", when: {flag: "+w.name(c)+"}}")
		}
	}
	return flags
}

// seatCodes writes the table of a column's codes, with a question about each that has no
// usual meaning.
func (w *draft) seatCodes(c *column, indent string) {
	seen := map[string]bool{}
	var open []string
	for _, v := range c.distinct {
		key := values.FoldCase(v.text)
		if seen[key] || len(seen) == 20 {
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
		q := Question{
			Ask: fmt.Sprintf("in %q, which space type is %q?", c.Header, text), minor: true,
			line: indent + "# " + quoted(text) + ": AMB                 <- or WCH or STR? write which it is, and take the # off",
		}
		for _, code := range []string{"AMB", "WCH", "STR"} {
			q.Choices = append(q.Choices, Choice{code, line + code})
		}
		w.ask(q)
	}
}

// seatCode returns what a code means in a column of space types, where W/C is not a will
// call; empty if brokers mean different things by it.
func seatCode(text string) string {
	switch values.HeaderKey(text) {
	case "wc", "whc", "wcvan", "wchr":
		return "WCH"
	}
	return usualSpaceType(text)
}

// passengers writes who rides along, from three kinds of columns: counts, which may
// include the rider; columns of yes and no; and columns of names, each of which is one
// more person. Different kinds describe the same people, so the mapping takes the
// largest number; several counts add up.
func (w *draft) passengers() {
	f, found := w.fields[importer.FieldAdditional]
	var first *column
	if found {
		first = w.columnOf(f)
	}
	who := w.companions(first)
	if who.none() {
		return
	}

	w.line("  additional_passengers:")
	same := who.repeatedCounts(w)
	for _, c := range who.counts {
		code, count, why := "AMB", w.count(c), f
		if c.says("wheelchair") {
			code = "WCH"
		}
		if len(same) > 0 && code == "AMB" {
			count, same = "{most: ["+strings.Join(append([]string{count}, same...), ", ")+"]}", nil
		}
		why.Ref = importer.ColumnName(c.Num)
		if isTotal(c) {
			why.Why += "; the rider seems to be one of them"
		}
		w.noted(fmt.Sprintf("    - {space_type: %s, count: %s}", code, count), why)
	}
	switch {
	case len(same) == 1:
		w.line("    - {space_type: AMB, count: " + same[0] + "}")
	case len(same) > 1:
		w.line("    - {space_type: AMB, count: {most: [" + strings.Join(same, ", ") + "]}}")
	}
	for _, c := range who.unclear {
		w.askCount(c)
	}
}

// companions are the columns that say who rides along.
type companions struct {
	counts, flags, names, unclear []*column
}

func (p *companions) none() bool {
	return p.counts == nil && p.flags == nil && p.names == nil && p.unclear == nil
}

// companions finds the columns that say who rides along, including first. A column of
// yes and no whose header does not call it a flag is a count.
func (w *draft) companions(first *column) companions {
	var who companions
	var all []*column
	if first != nil {
		w.used[first.Num] = true
		all = append(all, first)
	}
	if first == nil || !isTotal(first) {
		all = append(all, w.findAll(isCompanion)...)
	}
	for _, c := range all {
		switch {
		case isTotal(c), c.is(isCount), c == first && c.filled == 0, c.is(isFlag) && !c.says("flag"):
			who.counts = append(who.counts, c)
		case c.is(isFlag):
			who.flags = append(who.flags, c)
		case c.share(func(v cell) bool { return hasDigit(v.text) }) > 0:
			who.unclear = append(who.unclear, c)
		default:
			who.names = append(who.names, c)
		}
	}

	return who
}

// isCompanion reports whether a column is about people who ride along.
func isCompanion(c *column) bool {
	people := c.says("escort") || c.says("additional") && (c.says("rider", "passengers", "name", "ambulatory", "wheelchair") || c.is(isCount) || c.is(isFlag))
	return people && c.filled > 0 && (c.is(isCount) || c.is(isFlag) || c.is(isText)) &&
		!isTotal(c) && !c.says("appointment", "notes", "cost", "aidflag", "phone", "type", "dob", "age", "child", "time", "date") &&
		(c.is(isCount) || !c.says("id"))
}

// repeatedCounts returns the counts of the columns that repeat what a count says: columns
// of yes and no, and names.
func (p *companions) repeatedCounts(w *draft) []string {
	var same, names []string
	for _, c := range p.flags {
		same = append(same, w.count(c))
	}
	for _, c := range p.names {
		names = append(names, w.countNames(c))
	}
	switch len(names) {
	case 0:
		return same
	case 1:
		return append(same, names[0])
	}
	return append(same, "{sum: ["+strings.Join(names, ", ")+"]}")
}

// countNames returns the count of the names in a column. A comma separates names if there
// are whole names on both sides of it.
func (w *draft) countNames(c *column) string {
	separators, nobody := ";&/+", []string{"none", "no", "N/A"}
	for _, v := range c.distinct {
		before, after, found := strings.Cut(v.text, ", ")
		if found && strings.Contains(before, " ") && strings.Contains(after, " ") {
			separators = ",;&/+"
		}
		if !isSomebody(v) && !slices.ContainsFunc(nobody, func(n string) bool { return strings.EqualFold(n, v.text) }) {
			nobody = append(nobody, v.text)
		}
	}
	keys := fmt.Sprintf("blank: %s, items: %q", quotedAll(nobody), separators)
	if c.share(func(v cell) bool { return strings.Contains(strings.ToLower(v.text), " and ") }) > 0 {
		keys = "replace: {'(?i) and ': ' & '}, " + keys
	}
	return w.withKeys(c, keys)
}

// askCount asks how many people ride along by a column whose texts contain numbers.
func (w *draft) askCount(c *column) {
	const count = "    - {space_type: AMB, count: "
	q := Question{
		Ask: fmt.Sprintf("how many people ride along, according to %q?", c.Header), Values: w.p.sheet.Samples(c.Num, 3),
		Choices: []Choice{
			{"as many as the number in it says", count + w.withKeys(c, `extract: '\d+'`) + "}"},
			{"one, where it is filled", count + "{const: 1, when: " + w.withKeys(c, "empty: false") + "}}"},
			{"nobody: it says something else", count + "{const: 0, when: " + w.withKeys(c, "empty: false") + "}}"},
		},
	}
	q.line = count + "{decide: " + strconv.Quote(q.Ask+" Replace this line with  "+strings.TrimSpace(q.Choices[0].line)+"  or  "+strings.TrimSpace(q.Choices[1].line)) + "}}"
	w.ask(q)
}

// count returns the count of people in a column.
func (w *draft) count(c *column) string {
	switch {
	case isTotal(c):
		return w.withKeys(c, "less: 1")
	case c.is(isFlag) && !c.is(isCount):
		return "{const: 1, when: {flag: " + w.name(c) + "}}"
	}
	return w.name(c)
}

// isTotal reports whether a column counts all passengers.
func isTotal(c *column) bool {
	return c.says("passengers", "rider") && !c.says("additional", "escort") && c.says("count", "passengers")
}
