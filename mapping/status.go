package mapping

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
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
	filledWord = "filled"  // any text that is in no list; with a capital it is a word of the file
)

// filledKey is the key of filledWord, apart from that of the word "Filled".
const filledKey = "(filled)"

// statusKey is the key of a word of a list.
func statusKey(word string) string {
	if word == filledWord {
		return filledKey
	}
	return importer.WordKey(word)
}

// statusColumns compiles the status columns that the file has.
func (c *compiler) statusColumns() []statusColumn {
	var all []statusColumn
	for _, s := range c.doc.Status {
		status := statusColumn{
			ref: ColumnRef{name: s.Key, optional: s.Value.Optional}, words: map[string]wordUse{}, blanks: foldCases(c.doc.Read.Blank),
		}
		for use, words := range [][]text{bookWord: s.Value.Book, cancelWord: s.Value.Cancelled, skipWord: s.Value.Skip} {
			for _, word := range words {
				key := statusKey(word.Value)
				if key == filledKey && slices.ContainsFunc(words, func(w text) bool { return w.Value != filledWord && w.Value != emptyWord }) {
					c.finding(word.position, "filled stands for any text, and other words are beside it", "keep filled alone; a status with that name is written Filled")
				}
				if key == "" {
					c.finding(word.position, "no cell has this word", "write "+emptyWord+" for a blank cell, or take it out")
				}
				if was := status.words[key]; was != unknownWord && was != wordUse(use) {
					c.finding(word.position, fmt.Sprintf("%q is in two lists of the column %v", word.Value, status.ref), "keep one of the two")
				}
				status.words[key] = wordUse(use)
			}
		}
		if len(status.words) == 0 {
			c.finding(s.Key.position, fmt.Sprintf("the column %v has no words", status.ref), "list its words under book, cancelled or skip")
		}
		c.note(FieldCancelled, func() {
			var ok bool
			if status.column, ok = c.resolve(status.ref); ok {
				all = append(all, status)
			}
		})
	}
	return all
}

// read returns what a cell says, and what becomes of its row.
func (s *statusColumn) read(cell importer.Cell) (word string, use wordUse) {
	word = values.Clean(cell.Text)
	if cell.Type == importer.Empty || word == "" || isAnyOf(word, s.blanks) {
		return emptyWord, s.words[emptyWord]
	}
	if use, ok := s.words[importer.WordKey(word)]; ok {
		return word, use
	}
	if use := s.words[filledKey]; use != bookWord || !LooksCancelled(word) {
		return word, use
	}
	return word, unknownWord // what looks like a cancellation is in the list by itself, or waits
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

// partsOfCancellation are letters of which a text has some that the expression matches. They tell nearly all
// texts apart at a fraction of its cost.
func partsOfCancellation() [9]string {
	return [...]string{"canc", "cncl", "cx", "show", "turn", "delete", "void", "hold", "not"}
}

// LooksCancelled reports whether a text looks like a cancellation.
func LooksCancelled(text string) bool {
	return mayCancel(text) && cancellation.MatchString(strings.ReplaceAll(values.FoldCase(text), "_", " "))
}

// mayCancel reports whether a text has a part of a cancellation, or characters that are not compared as
// they are.
func mayCancel(text string) bool {
	const first = "chstdvnCHSTDVN"
	for i := range len(text) {
		switch {
		case text[i] >= 0x7f || text[i] < ' ' || text[i] == '_':
			return true
		case strings.IndexByte(first, text[i]) < 0:
			continue
		}
		for _, part := range partsOfCancellation() {
			if text[i]|0x20 == part[0] && i+len(part) <= len(text) && strings.EqualFold(text[i:i+len(part)], part) {
				return true
			}
		}
	}
	return false
}
