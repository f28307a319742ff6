package importer

import (
	"fmt"
	"strings"
)

// A NewWord is a text in a status column that is in none of the mapping's lists, or one among
// notes that looks like a cancellation. The program cannot know what it means, so its row waits
// for a person's answer.
type NewWord struct {
	// Column names the column as ledgers keep it.
	Column string
	// Text is the cell's text, or (empty).
	Text string
	Cell Ref
	// FreeText reports that the column is no status column but one of notes, and that the text
	// looks like a cancellation. Text is row content then.
	FreeText bool
	// Answer is what a person answered about it, for all rows that have it; zero if nobody did.
	Answer StandingAnswer `json:"-"`
}

// longestWord is the longest text that is a word. A longer one may be row content.
const longestWord = 40

// Words names the column and the word, for people, without row content.
func (w *NewWord) Words() string {
	if w.FreeText {
		return w.Cell.Header + " has a text that looks like a cancellation"
	}
	return w.Cell.Header + " says " + w.Said()
}

// Said returns the word, or that it is a longer text.
func (w *NewWord) Said() string {
	if len(w.Text) > longestWord {
		return "something longer"
	}
	return w.Text
}

// Problem returns the notice about the row, which waits for an answer.
func (w *NewWord) Problem() Problem {
	return Problem{
		Code: "word-new", Severity: Notice, Cells: []Ref{w.Cell},
		Message: fmt.Sprintf("%q is a word that nobody has approved here", w.Text),
		Fix:     "write `book` or `leave out` under What we found: it counts for all rows that say so, later ones too; or add it to book, cancelled or skip under status in the mapping",
	}
}

// WordKey returns the form in which words are compared: without case and spaces.
func WordKey(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), "")) }
