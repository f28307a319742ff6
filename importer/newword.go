package importer

import "strings"

// A NewWord is a text that nobody has approved in a column that decides whether
// or how rows are booked, such as a status. Nobody knows what it means, so its row
// waits until a person says.
type NewWord struct {
	// Column names the column as ledgers keep it.
	Column string
	// Text is what the cell says: (empty), (number), (date) or (time) for all cells
	// of that kind. Of free text it is row content.
	Text string
	// Kind reports that Text stands for all cells of a kind.
	Kind bool
	Cell Ref
	// Parts are the words that Text consists of: itself, or the parts of a cell
	// with several. The row is known if all of them are to be booked.
	Parts []string
	// Listed reports that the mapping says which words the column has. Otherwise
	// the ledger does.
	Listed bool
	// FreeText reports that the column has notes or the like.
	FreeText bool
	// Cancels reports that the text looks like a cancellation. Of free text, only
	// such a one is asked about.
	Cancels bool
}

// Says names the column and the word, for people. A free text is not in it.
func (w *NewWord) Says() string {
	if w.FreeText {
		return w.Cell.Header + " has a text that looks like a cancellation"
	}
	return w.Cell.Header + " says " + w.Text
}

// WordKey returns the form in which words are compared: without case and spaces.
func WordKey(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), "")) }
