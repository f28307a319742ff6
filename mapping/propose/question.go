package propose

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
	"tripimport/mapping/values"
)

// A Question is what a draft leaves open, with the answers to choose from.
type Question struct {
	// Ask is the question: lower case, without row content.
	Ask string
	// Values are values of the column that is asked about, three at most.
	Values []string
	// Choices are the answers. If a person may also answer with a text, Free says
	// what the text is ("the name"). If they may answer with the header of a column,
	// Column is true; with several that are right together, as "Order + Leg", Together is too.
	Choices          []Choice
	Free             string
	Column, Together bool

	line  string // the line of the draft that the answer replaces, wherever it stands
	form  string // the line with a text as the answer, in place of answerMark
	field importer.Field
	value func(*column) string // the line with a column as the answer
}

// A Choice is an answer to a question.
type Choice struct {
	Text string // for people; it may have values of rows
	line string // the line that replaces the question

	also [2]string // another line of the draft, and what replaces it; two empty ones for none
}

// Answer returns the text of a draft with what a person typed as the answer to a question:
// the number of a choice or the choice itself; a header of the file, which is that column;
// or a text, where all rows may have the same. If it is none of these, Answer returns the
// text as it is, and says why, so that the person is asked again.
func (p *Proposal) Answer(text string, q *Question, typed string) (answered, again string) {
	c, again := p.choiceTyped(q, typed)
	if again != "" {
		return text, again
	}
	text = strings.Replace(text, c.also[0]+"\n", c.also[1]+"\n", 1)
	return strings.ReplaceAll(text, q.line+"\n", c.line+"\n"), ""
}

// choiceTyped returns the choice that a person typed, or what they typed as a choice, or says why it is none.
func (p *Proposal) choiceTyped(q *Question, typed string) (_ Choice, again string) {
	number, err := strconv.Atoi(typed)
	if err == nil && number >= 1 && number <= len(q.Choices) {
		return q.Choices[number-1], ""
	}
	if i := slices.IndexFunc(q.Choices, func(c Choice) bool { return strings.EqualFold(c.Text, typed) }); i >= 0 {
		return q.Choices[i], ""
	}
	c, why := p.columnTyped(q, typed)
	line := ""
	if c == nil && why == "" {
		line, why = p.columnsTyped(q, typed)
	}
	switch {
	case why != "":
		return Choice{}, why
	case c != nil:
		return Choice{line: q.value(c)}, ""
	case line != "":
		return Choice{line: line}, ""
	case q.Free == "" || err == nil:
		return Choice{}, fmt.Sprintf("%q is not one of the answers", typed)
	}
	if why := q.notAConstant(typed); why != "" {
		return Choice{}, why
	}
	return Choice{line: strings.ReplaceAll(q.form, answerMark, plainly(typed))}, ""
}

// columnTyped returns the column whose header or letter a person typed; nil if it is neither. It says
// why the column can't be the answer.
func (p *Proposal) columnTyped(q *Question, typed string) (found *column, why string) {
	if found, why = p.columnCalled(typed); found == nil && why == "" && q.value != nil {
		found = p.columnAt(typed)
	}
	if found == nil {
		return nil, why
	}
	if q.value == nil {
		return nil, fmt.Sprintf("%q is a column, and a column is not one of the answers", typed)
	}
	if (q.field == importer.FieldTripID || q.field == importer.FieldRiderID) && !mayBeID(found) {
		return nil, fmt.Sprintf("%v has %s, and these identify nothing", found.Column, found.kind())
	}
	return found, ""
}

// columnsTyped returns the line with several columns that identify a trip together, which a person typed as "Order + Leg",
// or says which of them can't. Both are empty for anything else.
func (p *Proposal) columnsTyped(q *Question, typed string) (line, why string) {
	parts := strings.Split(typed, "+")
	if !q.Together || len(parts) < 2 {
		return "", ""
	}
	var names []string
	for _, part := range parts {
		c, why := p.columnTyped(q, strings.TrimSpace(part))
		if c == nil {
			return "", cmp.Or(why, fmt.Sprintf("%q is not a column of the file", strings.TrimSpace(part)))
		}
		names = append(names, c.name)
		line = strings.TrimSuffix(q.value(c), c.name)
	}
	return line + oneOrList(names), ""
}

// columnCalled returns the column whose header a person typed, or says that several have it.
func (p *Proposal) columnCalled(typed string) (found *column, why string) {
	key := values.HeaderKey(typed)
	for _, c := range p.sheet.columns {
		switch name := p.sheet.headers.NameOf(c.Column); {
		case name == typed && key != "", c.Header == "" && name == "="+strings.ToUpper(typed):
			found = c
		case found != nil || key == "" || values.HeaderKey(c.Header) != key:
		case c.repeated:
			why = fmt.Sprintf("several columns are called %q: name the one you mean, such as %s", c.Header, name)
		default:
			found = c
		}
	}
	return found, why
}

// columnAt returns the column with a letter such as H or =H, in capitals; nil if there is none.
func (p *Proposal) columnAt(typed string) *column {
	for _, c := range p.sheet.columns {
		if c.Ref() == strings.TrimPrefix(typed, "=") {
			return c
		}
	}
	return nil
}

// notAConstant says why a text can't be what a field is in all rows: it is no word.
func (q *Question) notAConstant(typed string) (why string) {
	if q.field == importer.FieldState {
		if _, ok := usps.StateOf(typed); !ok {
			return fmt.Sprintf("%q is no state", typed)
		}
		return ""
	}
	key := values.HeaderKey(typed)
	if _, flag := values.Flag(typed); flag || len(key) < 2 || strings.Contains(typed, "?") {
		return fmt.Sprintf("%q is not one of the answers", typed)
	}
	return ""
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

// ask writes a question into the draft: as an open line with its first choice, unless it has a line of its own.
func (w *draft) ask(q Question) {
	if q.line == "" {
		q.line = openLine(q.Choices[0].line, q.Ask)
	}
	w.line(q.line)
	w.questions = append(w.questions, q)
}

// completeLine is the open line of a draft that does not say yet whether its files are complete.
func completeLine() string { return openLine("complete: day", askComplete) }

const askComplete = "does each file list the whole day?"

func completeQuestion() Question {
	return Question{Ask: askComplete, line: completeLine(), Choices: []Choice{
		{Text: "yes: a booked trip that a later file lacks is listed to be cancelled, and one that comes again under a new id is asked about", line: "complete: day"},
		{Text: "no: a file may lack trips of its days", line: "complete: part"},
	}}
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
// answer that is the same for all rows; empty if there can be no such answer. more are offered last.
func (w *draft) askColumn(name importer.Field, indent int, question string, names []string, example string, more ...Choice) {
	_, part := name.Split()
	key := strings.Repeat(" ", indent) + string(part) + ": "
	q := Question{Ask: question, Column: true, Together: name == importer.FieldTripID, form: key + `{const: "` + answerMark + `"}`, field: name}
	for _, n := range names {
		q.Choices = append(q.Choices, Choice{Text: n, line: key + "{const: " + strconv.Quote(n) + "}"})
	}
	q.value = func(c *column) string {
		if name == importer.FieldSpaceType {
			text, _ := w.seatsOf(c)
			return text
		}
		return key + c.name
	}

	for _, c := range w.likely(name) {
		if name == importer.FieldSpaceType && !mayBeSeats(c) {
			continue
		}
		called := c.String()
		if c.Header != "" {
			called = "the column " + called
		}
		q.Choices = append(q.Choices, Choice{Text: fmt.Sprintf("%s, such as %s", called, strings.Join(w.p.sheet.Samples(c.Num, 3), ", ")), line: q.value(c)})
	}

	q.Choices = append(q.Choices, more...)
	answer := key + "Header of the column"
	switch {
	case name == importer.FieldSpaceType: // one for all rows would send the wrong car
		answer = key + "{column: Header of the column, table: {Ambulatory: AMB, Wheelchair: WCH}}"
	case importer.Constant(name):
		answer = key + "{const: " + example + "}"
		q.Free = freeText
	}
	q.line = openLine(answer, question)
	w.ask(q)
}

// freeText says what a text is that may be the same for all rows.
const freeText = "its name as the service has it, if it is the same for all rows"

// likely returns at most three columns whose values may be those of a field for which no
// column was likely enough to be taken.
func (w *draft) likely(f importer.Field) []*column {
	const most = 3
	forID := f == importer.FieldTripID || f == importer.FieldRiderID
	free := func(c *column) bool {
		return !w.p.isField(c) && (!forID || mayBeID(c)) && c.mayHold(f)
	}

	columns := w.columnsOf(f) // one that was not sure enough
	event, part := f.Split()
	for _, c := range w.p.sheet.columns {
		home := slices.Contains(addressParts(), part) && c.says("rider", "residence")
		if len(columns) < most && free(c) && !home && !c.says(harmless()...) && (event == "" || c.side() == "" || c.side() == event) {
			columns = append(columns, c)
		}
	}
	return columns
}

// mayHold reports whether values alone allow that a column holds a field.
func (c *column) mayHold(f importer.Field) bool {
	_, part := f.Split()
	switch part {
	case importer.FieldTripID, importer.FieldRiderID:
		return c.is(isID)
	case importer.FieldProvider, importer.FieldFundingSource: // few names, and a header with an unknown word
		return c.kind() == isWords && len(c.distinct) <= 5 && slices.ContainsFunc(c.concepts, func(x string) bool { return strings.HasPrefix(x, "?") })
	}
	return slices.Contains(parts()[part].telling, c.kind())
}

// mayBeID reports whether the values of a column may be ids.
func mayBeID(c *column) bool {
	return !c.says("phone") && !c.is(isPhone) && !c.is(isFlag) && !c.is(isTime) && !c.is(isDate)
}

// openLines matches the open lines of a template.
var openLines = regexp.MustCompile(`(?m)^( *)# ((\w+): .*?)` + openMark + `(.*)$`)

// ownBroker matches the line that says whose files a mapping is for.
var ownBroker = regexp.MustCompile(`(?m)^broker:.*\n`)

// DraftOf returns a text that is a draft already, such as a template, with its questions. It asks
// whether files are complete, if the text does not say so.
func (p *Proposal) DraftOf(text string) Draft {
	d := Draft{Text: text}
	if at := ownBroker.FindStringIndex(text); at != nil && !strings.Contains("\n"+text, "\ncomplete:") && !strings.Contains(text, completeLine()) {
		d.Text = text[:at[1]] + completeLine() + "\n" + text[at[1]:]
	}
	for _, m := range openLines.FindAllStringSubmatch(text, -1) {
		q := Question{Ask: m[4], line: m[0], field: importer.Field(m[3])}
		if importer.Constant(q.field) {
			q.Free, q.form = freeText, m[1]+m[3]+`: {const: "`+answerMark+`"}`
			q.Column, q.value = true, func(c *column) string { return m[1] + m[3] + ": " + c.name }
		} else {
			q.Choices = []Choice{{Text: m[2], line: m[1] + m[2]}}
		}
		if m[0] != completeLine() {
			d.Questions = append(d.Questions, q)
		}
	}
	if strings.Contains(d.Text, completeLine()) {
		d.Questions = append(d.Questions, completeQuestion())
	}
	return d
}

// Open returns the questions that a text of the draft does not answer yet: those whose lines
// it still has.
func (d Draft) Open(text string) []Question {
	return slices.DeleteFunc(slices.Concat(d.Questions, d.later), func(q Question) bool { return !strings.Contains(text, q.line+"\n") })
}
