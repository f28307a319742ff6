package propose

import (
	"fmt"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// spaceType writes the table of codes. A code that has no usual meaning is left
// to the office; until it is in the table, its rows have a fault.
func (w *draft) spaceType() {
	f, ok := w.fields[importer.FieldSpaceType]
	if !ok {
		w.decide(importer.FieldSpaceType, "which column tells wheelchairs from walkers?", nil, "")
		return
	}

	c := w.column(f)
	w.line("  space_type:")
	name := strings.TrimSuffix(strings.TrimPrefix(w.in(c, ""), "{"), ", }")
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

// seatFlags returns the space types that columns of yes and no tell, which come before
// the code: the largest first.
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
	for _, v := range c.order {
		key := values.FoldCase(v.text)
		if seen[key] || len(seen) == 20 {
			continue
		}
		seen[key] = true
		if code := usualSpaceType(v.text); code != "" {
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

// passengers writes who rides along, by kind. A count of all passengers has the rider
// in it, who needs no seat beside their own.
func (w *draft) passengers(f Field) {
	w.line("  additional_passengers:")
	counts, flags := w.companions(w.column(f))
	for i, c := range counts {
		code, count := "AMB", w.count(c)
		if c.says("wheelchair") {
			code = "WCH"
		}
		why := f
		why.Ref = importer.ColumnName(c.Num)
		if isTotal(c) {
			why.Why += "; the rider seems to be one of them"
		}
		for _, flag := range flags {
			if i == 0 { // a flag says again what a count counts
				count = "{most: [" + count + ", " + w.count(flag) + "]}"
			}
		}
		w.noted(fmt.Sprintf("    - {space_type: %s, count: %s}", code, count), why)
	}
}

// companions returns the columns that count people, the first one among them, and those
// that only say that there are some.
func (w *draft) companions(first *column) (counts, flags []*column) {
	counts = []*column{first}
	for !isTotal(first) {
		c := w.find(func(x *column) bool {
			return x.says("escort", "additional") && !x.says("appointment", "notes", "name", "cost", "aidflag") && (x.is(isCount) || x.is(isFlag)) && !isTotal(x)
		})
		if c == nil {
			break
		}
		w.used[c.Num] = true
		if c.is(isFlag) && c.says("flag") {
			flags = append(flags, c)
		} else {
			counts = append(counts, c)
		}
	}
	return counts, flags
}

// count writes how many people a column counts.
func (w *draft) count(c *column) string {
	switch {
	case isTotal(c):
		return w.in(c, "less: 1")
	case c.is(isFlag) && !c.is(isCount):
		return w.in(c, "table: {Y: 1, Yes: 1, N: 0, No: 0}")
	}
	return w.name(c)
}

// isTotal reports whether a column counts all passengers.
func isTotal(c *column) bool {
	return c.says("passengers", "rider") && !c.says("additional", "escort") && c.says("count", "passengers")
}
