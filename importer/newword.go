package importer

import (
	"fmt"
	"strings"
)

// A NewWord is a text that nobody has approved in a column that decides whether or how
// rows are booked, such as a status. The program cannot know what it means, so its row
// waits for a person's answer.
type NewWord struct {
	// Column names the column as ledgers keep it.
	Column string
	// Text is the cell's text, or (empty), (number), (date) or (time) for all cells of
	// that kind. In a column of free text it is row content.
	Text string
	// Kind reports that Text stands for all cells of a kind.
	Kind bool
	Cell Ref
	// Parts are the words that Text consists of: itself, or the parts of a cell
	// with several. The row is known if all of them are to be booked.
	Parts []string
	// Listed reports that the mapping lists the approved words of the column. Otherwise
	// the ledger has them.
	Listed bool
	// Event is the number of the event at which a person was last heard about the word, 0 if
	// none was.
	Event int64
	// FreeText reports that the column has notes or the like, and Compared that a rule compares
	// its whole value: it is a status, however many words it has.
	FreeText, Compared bool
	// Cancels reports that the text looks like a cancellation. In a column of free text,
	// only such a text is asked about.
	Cancels bool
	// Rule names a rule of the mapping that takes the row for a line of totals because of
	// the text, although the row has what a trip has. It is empty for any
	// other word. With a Rule, Text is row content.
	Rule string
	// Filled is the header of a column that is filled in trips and blank in lines of
	// totals. It is empty if none is known, and without a Rule.
	Filled string
}

// Words names the column and the word, for people, without row content.
func (w *NewWord) Words() string {
	switch {
	case w.Rule != "":
		return fmt.Sprintf("%s has a text by which the rule %q takes the row for a line of totals", w.Cell.Header, w.Rule)
	case w.FreeText:
		return w.Cell.Header + " has a text that looks like a cancellation"
	}
	return w.Cell.Header + " says " + w.Text
}

// Why says why a person is asked about the word.
func (w *NewWord) Why() string {
	if w.Rule != "" {
		return w.Words() + ", but it has what a trip has"
	}
	return w.Words() + ", which nobody has approved"
}

// Problem returns the notice about the row, which waits for an answer.
func (w *NewWord) Problem() Problem {
	if w.Rule != "" {
		return Problem{
			Code: "totals-or-trip", Severity: Notice, Cells: []Ref{w.Cell},
			Message: fmt.Sprintf("because of %q the rule %q of the mapping takes the row for a line of totals, but it has what a trip has", w.Text, w.Rule),
			Fix:     "write `book` or `leave out` under What we found; or in the mapping " + w.Cure(),
		}
	}
	return Problem{
		Code: "word-new", Severity: Notice, Cells: []Ref{w.Cell},
		Message: fmt.Sprintf("%q is a word that nobody has approved here", w.Text),
		Fix:     "write `book` or `leave out` under What we found, once for all rows that say so; or add it to book or leave_out under words in the mapping",
	}
}

// Cure says how to change the Rule so that it leaves out only lines of totals.
func (w *NewWord) Cure() string {
	if w.Filled == "" {
		return "make the rule also ask for a column that is blank in lines of totals"
	}
	return fmt.Sprintf("have the rule leave out only rows without %s: %s: {all: [the rule as it is, {column: %q, empty: true}]}", w.Filled, w.Rule, w.Filled)
}

// WordKey returns the form in which words are compared: without case and spaces.
func WordKey(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), "")) }
