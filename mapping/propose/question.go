package propose

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

// A Question is what a draft leaves open, with the answers to choose from.
type Question struct {
	// Ask is the question: lower case, without row content.
	Ask string
	// Values are values of the column that is asked about, three at most.
	Values []string
	// Choices are the answers. If a person may also answer with a text, Free says
	// what the text is ("the name").
	Choices []Choice
	Free    string

	line  string    // the line of the draft that the answer replaces
	form  string    // the line with a text as the answer, in place of answerMark
	alike *Question // another line that the answer also replaces
	minor bool      // the mapping can be used without an answer
	// also has, by choice, another line of the draft and its replacement.
	also map[int][2]string
}

// A Choice is an answer to a question.
type Choice struct {
	Text string // for people; it may have values of rows
	line string // the line that replaces the question
}

// Choose returns the text of a draft with the i-th choice as the answer to the question.
func (q *Question) Choose(text string, i int) string {
	if other := q.also[i]; other[0] != "" {
		text = strings.Replace(text, other[0]+"\n", other[1]+"\n", 1)
	}
	for ; q != nil; q = q.alike {
		text = strings.Replace(text, q.line+"\n", q.Choices[i].line+"\n", 1)
	}
	return text
}

// Write returns the text of a draft with a person's text as the answer, which is then
// the same for all rows.
func (q *Question) Write(text, answer string) string {
	for ; q != nil; q = q.alike {
		text = strings.Replace(text, q.line+"\n", strings.ReplaceAll(q.form, answerMark, plainly(answer))+"\n", 1)
	}
	return text
}

// answerMark stands for a person's text in a form.
const answerMark = "<answer>"

// plainly returns a text without what would end a text of YAML in quotes.
func plainly(text string) string {
	return strings.NewReplacer(`\`, "", `"`, "", "\n", " ").Replace(text)
}

// openLine returns a line that a person completes by taking the # off, with the question
// about it.
func openLine(line, question string) string {
	body := strings.TrimLeft(line, " ")
	return line[:len(line)-len(body)] + "# " + body + openMark + question
}

// openMark stands between an open line and the question about it.
const openMark = "   # open: "

// OpenLines returns how many lines of a draft are open.
func OpenLines(text string) int { return strings.Count(text, openMark) }

// Minor reports whether the mapping can be used without an answer.
func (q *Question) Minor() bool { return q.minor }

// ask writes a question into the draft.
func (w *draft) ask(q Question) {
	w.line(q.line)
	w.questions = append(w.questions, q)
}

// decide writes a field, or a question to the office if no column was found for it.
// A single name to choose from is the answer.
func (w *draft) decide(name importer.Field, question string, names []string, example string) {
	if _, ok := w.fields[name]; ok {
		w.field(name, 2)
		return
	}
	if len(names) == 1 {
		w.line(fmt.Sprintf("  %s: {const: %q}         # the only one that the service lists", name, names[0]))
		return
	}
	w.askColumn(name, 2, question, names, example)
}

// askColumn asks which column holds a field, or which constant it is. example is an
// answer that is the same for all rows; empty if there can be no such answer.
func (w *draft) askColumn(name importer.Field, indent int, question string, names []string, example string) {
	_, part := name.Split()
	key := strings.Repeat(" ", indent) + string(part) + ": "
	q := Question{Ask: question, form: key + `{const: "` + answerMark + `"}`}
	for _, n := range names {
		q.Choices = append(q.Choices, Choice{n, key + "{const: " + strconv.Quote(n) + "}"})
	}

	var columns []string
	for _, c := range w.likely(name) {
		if name != importer.FieldProvider && name != importer.FieldFundingSource {
			w.offered = append(w.offered, c.Num)
		}
		called := c.String()
		if c.Header != "" {
			called = "the column " + called
		}
		columns = append(columns, fmt.Sprintf("%v with %s", c.Column, c.kind()))
		value := w.keepUnused(c, func() string { return w.name(c) })
		switch {
		case name == importer.FieldSpaceType:
			value = "{column: " + value + ", table: {Ambulatory: AMB, Wheelchair: WCH}}"
		case c.locality().has(part):
			value = w.keepUnused(c, func() string { return w.partOf(c, part) })
		}
		q.Choices = append(q.Choices, Choice{fmt.Sprintf("%s, such as %s", called, strings.Join(w.p.sheet.Samples(c.Num, 3), ", ")), key + value})
	}

	answer := key + "Header of the column"
	switch {
	case name == importer.FieldSpaceType: // one for all rows would send the wrong car
		answer = key + "{column: Header of the column, table: {Ambulatory: AMB, Wheelchair: WCH}}"
	case importer.Constant(name):
		answer = key + "{const: " + example + "}"
		q.Free = "what it is for all rows"
	}
	ask := question
	if columns != nil {
		ask += " perhaps " + strings.Join(columns, " or ")
	}
	q.line = openLine(answer, ask)
	w.ask(q)
}

// keepUnused returns what write returns and leaves the column unused.
func (w *draft) keepUnused(c *column, write func() string) string {
	was := w.used[c.Num]
	defer func() { w.used[c.Num] = was }()
	return write()
}

// likely returns at most three columns that may hold a field for which no column was
// likely enough, the likeliest first: by header and values, then by values alone.
func (w *draft) likely(f importer.Field) []*column {
	forID := f == importer.FieldTripID || f == importer.FieldRiderID
	free := func(c *column) bool {
		taken := slices.ContainsFunc(w.p.Fields, func(x Field) bool { return x.Ref == importer.ColumnName(c.Num) })
		return !taken && (!forID || mayBeID(c))
	}

	var all []guess
	for _, g := range w.p.sheet.guesses(wholePatterns()) {
		if g.field == f && g.sure > 0.3 && free(g.column) {
			all = append(all, g)
		}
	}
	event, _ := f.Split()
	for _, c := range w.p.sheet.columns {
		if free(c) && c.mayHold(f) && !c.says(harmless()...) && (event == "" || c.side() == "" || c.side() == event) {
			all = append(all, guess{column: c, sure: 0.1})
		}
	}
	return surest(all, 3)
}

// mayHold reports whether values alone allow that a column holds a field.
func (c *column) mayHold(f importer.Field) bool {
	_, part := f.Split()
	switch part {
	case importer.FieldTripID, importer.FieldRiderID:
		return c.is(isID)
	case importer.FieldProvider, importer.FieldFundingSource: // few names, and a header with an unknown word
		return c.kind() == isWords && len(c.distinct) <= 5 && slices.ContainsFunc(c.concepts, func(x string) bool { return strings.HasPrefix(x, "?") })
	case importer.FieldCity, importer.FieldState, importer.FieldZip:
		if c.locality().has(part) {
			return true
		}
	}
	return slices.ContainsFunc(kindsOf(part), c.is)
}

// kindsOf returns the kinds of values that identify a field; none if there are none.
func kindsOf(part importer.Field) []kind {
	return map[importer.Field][]kind{
		importer.FieldDate: {isDate}, importer.FieldState: {isState}, importer.FieldZip: {isZIP}, importer.FieldSpaceType: {isSpace},
		importer.FieldPickupTime: {isTime}, importer.FieldApptTime: {isTime}, importer.FieldPhone: {isPhone},
		mapping.FieldAddress: {isWhole, isFullAddress, isStreet}, importer.FieldAddress1: {isStreet, isFullAddress, isStreetName},
	}[part]
}

// surest returns the columns of the surest guesses, each once, the surest first.
func surest(all []guess, most int) []*column {
	slices.SortStableFunc(all, func(a, b guess) int { return cmp.Compare(b.sure, a.sure) })
	var columns []*column
	for _, g := range all {
		if len(columns) < most && !slices.Contains(columns, g.column) {
			columns = append(columns, g.column)
		}
	}
	return columns
}

// mayBeID reports whether the values of a column may be ids.
func mayBeID(c *column) bool {
	return !c.says("phone") && !c.is(isPhone) && !c.is(isFlag) && !c.is(isTime) && !c.is(isDate)
}

// openLines matches the open lines of a template.
var openLines = regexp.MustCompile(`(?m)^( *)# ((\w+): .*?)` + openMark + `(.*)$`)

// DraftOf returns a text that is a draft already, such as a template, with its
// questions.
func DraftOf(text string) Draft {
	d := Draft{Text: text}
	for _, m := range openLines.FindAllStringSubmatch(text, -1) {
		q := Question{Ask: m[4], line: m[0]}
		if importer.Constant(importer.Field(m[3])) {
			q.Free, q.form = "what it is for all rows", m[1]+m[3]+`: {const: "`+answerMark+`"}`
		} else {
			q.Choices = []Choice{{m[2], m[1] + m[2]}}
		}
		d.Questions = append(d.Questions, q)
	}
	return d
}
