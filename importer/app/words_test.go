package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping"
)

// textWord is a new word as a mapping without a list reports it.
func textWord(text string) importer.NewWord {
	parts := strings.Split(text, "; ")
	return importer.NewWord{
		Column: "status", Text: text, Parts: parts, Kind: strings.HasPrefix(text, "("), Cancels: strings.Contains(text, "CXL"),
		Cell: importer.Ref{Header: "Status"},
	}
}

// TestWordLists tests which words make a list, and what is taken for free text.
func TestWordLists(t *testing.T) {
	numbered := func(n, times int) []string {
		var all []string
		for i := range n {
			for range times {
				all = append(all, fmt.Sprintf("word %c%c", 'a'+i/26, 'a'+i%26))
			}
		}
		return all
	}
	tests := []struct {
		name     string
		texts    []string
		book     []string
		cancels  []string
		freeText bool
		compared bool // a rule compares the column's whole value
	}{
		{name: "none"},
		{name: "words", texts: []string{"VALID", "valid", "UPDATED", "Valid"}, book: []string{"VALID", "UPDATED"}},
		{name: "few words, each once", texts: []string{"A", "B", "C", "D", "E"}, book: []string{"A", "B", "C", "D", "E"}},
		{name: "more words, each once", texts: numbered(6, 1), freeText: true},
		{name: "more words, each twice", texts: numbered(6, 2), book: []string{"word aa", "word ab", "word ac", "word ad", "word ae", "word af"}},
		{name: "thirty words", texts: numbered(30, 2), book: slices.Compact(numbered(30, 2))},
		{name: "more than thirty words", texts: numbered(31, 9), freeText: true},
		{name: "more than thirty words of a status", texts: numbered(31, 2), book: slices.Compact(numbered(31, 2)), compared: true},
		{name: "texts that hardly repeat, in a column that is compared", texts: numbered(31, 1), freeText: true, compared: true},
		{name: "blank cells do not count as words", texts: append(numbered(6, 1), "(empty)", "(empty)", "(empty)", "(empty)", "(empty)", "(empty)"), freeText: true},
		{name: "kinds", texts: []string{"(time)", "(empty)", "(time)"}, book: []string{"(time)", "(empty)"}},
		{name: "parts", texts: []string{"O2; WALKER", "O2", "ESCORT; O2"}, book: []string{"O2", "WALKER", "ESCORT"}},
		{name: "a sentence", texts: []string{"please ring the bell twice and wait at the door"}, freeText: true},
		{name: "a cancellation", texts: []string{"VALID", "CXL-MBR", "CXL-MBR"}, book: []string{"VALID"}, cancels: []string{"CXL-MBR"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &wordCollection{seen: map[string]bool{}}
			for _, text := range test.texts {
				w := textWord(text)
				w.Compared = test.compared
				c.add(&w)
			}
			found := wordLists{c}.lists()[0]
			if !slices.Equal(found.Book, test.book) || !slices.Equal(found.Cancelling, test.cancels) || found.FreeText != test.freeText {
				t.Errorf("book %q, cancelling %q, free text %t", found.Book, found.Cancelling, found.FreeText)
			}
		})
	}
}

// TestWordVerdicts tests what becomes of a word, by the lists that the mapping and the ledger
// have for its column.
func TestWordVerdicts(t *testing.T) {
	const ask = importer.NoVerdict
	listed := map[string]importer.Verdict{columnMarker: importer.Book, "VALID": importer.Book, "O2": importer.Book, "OUT": importer.LeaveOut}
	notes := map[string]importer.Verdict{columnMarker: importer.LeaveOut, "CXL, NO": importer.Book}
	tests := []struct {
		name      string
		ledger    map[string]importer.Verdict // nil for none
		inMapping bool
		text      string
		want      importer.Verdict
	}{
		{name: "no ledger and no list", text: "CXL-MBR", want: importer.Book},
		{name: "no ledger, and the mapping has a list", inMapping: true, text: "NEW", want: ask},
		{name: "the first import", ledger: map[string]importer.Verdict{}, text: "CXL-MBR", want: importer.Book},
		{name: "the mapping has a list, the ledger nothing", ledger: map[string]importer.Verdict{}, inMapping: true, text: "NEW", want: ask},
		{name: "answered, and the mapping has a list", ledger: listed, inMapping: true, text: "valid", want: importer.Book},
		{name: "left out, and the mapping has a list", ledger: listed, inMapping: true, text: "Out", want: importer.LeaveOut},
		{name: "in the ledger's list", ledger: listed, text: "VALID", want: importer.Book},
		{name: "not in the ledger's list", ledger: listed, text: "NEW", want: ask},
		{name: "left out", ledger: listed, text: "OUT", want: importer.LeaveOut},
		{name: "known parts", ledger: listed, text: "VALID; O2", want: importer.Book},
		{name: "a new part", ledger: listed, text: "VALID; NEW", want: ask},
		{name: "a part that is left out alone", ledger: listed, text: "VALID; OUT", want: ask},
		{name: "free text", ledger: notes, text: "ring twice", want: importer.Book},
		{name: "free text that looks like a cancellation", ledger: notes, text: "CXL per mbr", want: ask},
		{name: "free text that was answered", ledger: notes, text: "cxl, no", want: importer.Book},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := &words{known: map[wordID]wordFact{}}
			for known, v := range test.ledger {
				w.known[wordID{textWord("").Column, importer.WordKey(known)}] = wordFact{verdict: v}
			}
			word := textWord(test.text)
			word.Listed = test.inMapping
			if got := w.verdict(&word); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// TestManyNewWords checks that each new word is asked about, however many different ones there
// are, and counted once with all of its rows.
func TestManyNewWords(t *testing.T) {
	for _, n := range []int{1, 30, 31, 500} {
		w := &words{known: map[wordID]wordFact{}, counts: map[wordID]*askedWord{}, counting: true}
		for range 2 {
			for i := range n {
				w.add(textWord(fmt.Sprintf("word %d", i)))
			}
		}
		if len(w.asked) != n || w.asked[0].rows != 2 {
			t.Errorf("of %d words in two rows each, %d are asked about, the first in %d rows", n, len(w.asked), w.asked[0].rows)
		}
		first := textWord("word 0")
		first.Listed = true
		if got := w.verdict(&first); got != importer.NoVerdict {
			t.Errorf("of %d words, the first is %v", n, got)
		}
	}
}

// TestFoundWordsSentence tests the sentence about the words of a column.
func TestFoundWordsSentence(t *testing.T) {
	for want, f := range map[string]FoundWords{
		", any new word will be asked about": {},
		", any new word will be asked about; these are known: A, B; these look like cancellations, and will be asked about: CXL": {WordList: mapping.WordList{Book: []string{"A", "B"}}, Cancelling: []string{"CXL"}},
		", any text that looks like a cancellation will be asked about":                                                          {WordList: mapping.WordList{FreeText: true}, Cancelling: []string{"row content"}},
	} {
		if got := f.Sentence(); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
