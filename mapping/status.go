package mapping

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A wordUse says what becomes of the rows with a word.
type wordUse uint8

const (
	unknownWord wordUse = iota
	bookWord
	cancelWord
	skipWord
)

// A statusColumn is a column whose words say what becomes of a row.
type statusColumn struct {
	ref    ColumnRef
	column importer.Column
	words  map[string]wordUse // by importer.WordKey
	blanks []string
}

// Words of a list that stand for all cells of a kind.
const (
	emptyWord  = "(empty)" // a blank cell
	filledWord = "filled"  // any text that is in no list
)

// statusColumns compiles the status columns that the file has.
func (c *compiler) statusColumns() []statusColumn {
	var all []statusColumn
	for _, s := range c.doc.Status {
		status := statusColumn{
			ref: ColumnRef{name: s.Key, optional: s.Value.Optional}, words: map[string]wordUse{}, blanks: foldCases(c.doc.Read.Blank),
		}
		for use, words := range [][]text{bookWord: s.Value.Book, cancelWord: s.Value.Cancelled, skipWord: s.Value.Skip} {
			for _, word := range words {
				key := importer.WordKey(word.Value)
				if was := status.words[key]; was != unknownWord && was != wordUse(use) {
					c.finding(word.position, fmt.Sprintf("%q is in two lists of the column %v", word.Value, status.ref), "keep one of the two")
				}
				status.words[key] = wordUse(use)
			}
		}
		if len(status.words) == 0 {
			c.finding(s.Key.position, fmt.Sprintf("the column %v has no words", status.ref), "list its words under book, cancelled or skip")
		}
		var ok bool
		if status.column, ok = c.resolve(status.ref); ok {
			all = append(all, status)
		}
	}
	return all
}

// read returns what a cell says, and what becomes of its row.
func (s *statusColumn) read(cell importer.Cell) (word string, use wordUse) {
	word = values.Clean(cell.Text)
	if cell.Type == importer.Empty || word == "" || isAnyOf(word, s.blanks) {
		return emptyWord, s.words[emptyWord]
	}
	if use, ok := s.words[word]; ok { // most words are in the form of the keys already
		return word, use
	}
	if use, ok := s.words[importer.WordKey(word)]; ok {
		return word, use
	}
	return word, s.words[filledWord]
}

// at returns the cell of the column in a row.
func (s *statusColumn) at(row importer.Row) importer.Ref {
	at := row.Ref(s.column.Num)
	at.Header = s.column.Header
	return at
}

// says names the column and a word of it, for people. A text that is in no list may be row
// content, and is left out.
func (s *statusColumn) says(word string) string {
	name := cmp.Or(s.column.Header, s.ref.String())
	if s.words[importer.WordKey(word)] == unknownWord {
		return name + " is filled"
	}
	return name + " says " + word
}

// cancellation finds what looks like a cancellation. "Hold" and "void" count only at the
// beginning of a text. CANC and CX must be whole words: cancer is no cancellation.
var cancellation = regexp.MustCompile(`cancel|cancl|\bcanc\b|\bcncl|\bcxl|\bcxd?\b|\bno ?-?show|\bturn(ed)? ?-?back|\bdeleted?\b|\bvoided\b|\bon hold\b|\bdo not (book|send|transport|dispatch)\b|^(hold|void)( ?[-:/;(].*)?$`)

// LooksCancelled reports whether a text looks like a cancellation.
func LooksCancelled(text string) bool {
	return cancellation.MatchString(strings.ReplaceAll(values.FoldCase(text), "_", " "))
}
