package judge_test

import (
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// TestTakeWords: an answer about a new word counts for all rows with it, once. If two people answer otherwise about what they
// both saw, neither counts, and both are shown, whoever says it again.
func TestTakeWords(t *testing.T) {
	var none importer.StandingAnswer
	book := importer.StandingAnswer{Verdict: importer.Book, Who: "Ann", Event: 7}
	sides := []importer.Side{{Who: "Ann", Verdict: importer.Book}, {Who: "Ben", Verdict: importer.LeaveOut}}
	both := importer.StandingAnswer{Who: "Ben", Event: 9, Doubt: importer.Doubt{Sides: sides}}
	cat := importer.Side{Who: "Cat", Verdict: importer.LeaveOut}

	for name, test := range map[string]struct {
		said []importer.StandingAnswer
		who  string
		v    importer.Verdict
		saw  int64
		want []importer.StandingAnswer // what changes
		told string
	}{
		"the first answer":                        {[]importer.StandingAnswer{none}, "Ben", importer.LeaveOut, 5, []importer.StandingAnswer{{Verdict: importer.LeaveOut, Who: "Ben"}}, ""},
		"of two words":                            {[]importer.StandingAnswer{none, none}, "Ben", importer.Book, 5, []importer.StandingAnswer{{Verdict: importer.Book, Who: "Ben"}, {Verdict: importer.Book, Who: "Ben"}}, ""},
		"which of two words leaves rows out?":     {[]importer.StandingAnswer{none, none}, "Ben", importer.LeaveOut, 5, nil, "several new words"},
		"one of them is answered":                 {[]importer.StandingAnswer{book, none}, "Ben", importer.Book, 5, []importer.StandingAnswer{{Verdict: importer.Book, Who: "Ben"}}, ""},
		"the same answer again":                   {[]importer.StandingAnswer{book}, "Ben", importer.Book, 5, nil, ""},
		"another answer about the same":           {[]importer.StandingAnswer{book}, "Ben", importer.LeaveOut, 5, []importer.StandingAnswer{{Who: "Ben", Event: 7, Doubt: importer.Doubt{Sides: sides}}}, "Ann answered `book` at"},
		"one side again":                          {[]importer.StandingAnswer{both}, "Ben", importer.LeaveOut, 5, nil, "Ben answered `leave out` at"},
		"a third person, who saw neither":         {[]importer.StandingAnswer{both}, "Cat", importer.LeaveOut, 5, []importer.StandingAnswer{{Who: "Cat", Event: 9, Doubt: importer.Doubt{Sides: append(slices.Clone(sides), cat)}}}, "Cat answered `leave out` at"},
		"who saw both":                            {[]importer.StandingAnswer{both}, "Ben", importer.LeaveOut, 9, []importer.StandingAnswer{{Verdict: importer.LeaveOut, Who: "Ben", Event: 9}}, ""},
		"another answer, by whom knew that it is": {[]importer.StandingAnswer{book}, "Ben", importer.LeaveOut, 8, nil, "change status in their mapping"},
		"the mapping has the word by now":         {nil, "Ben", importer.Book, 5, nil, "nobody is asked about a word"},
	} {
		words := make([]importer.NewWord, len(test.said))
		for i := range words {
			words[i] = importer.NewWord{Column: "status", Text: "HOLD " + string(rune('A'+i)), Answer: test.said[i]}
		}
		changed, refusal := judge.TakeWords(importer.Answer{Question: importer.AskWord, Saw: test.saw, Verdict: test.v, Who: test.who}, words)
		same := slices.EqualFunc(changed, test.want, func(w importer.NewWord, want importer.StandingAnswer) bool {
			is := w.Answer
			return is.Verdict == want.Verdict && is.Who == want.Who && is.Event == want.Event && slices.Equal(is.Doubt.Sides, want.Doubt.Sides)
		})
		if !same || (refusal == nil) != (test.told == "") || refusal != nil && !strings.Contains(refusal.Reason, test.told) {
			t.Errorf("%s: %+v, %+v", name, changed, refusal)
		}
	}
}

// TestOpenWords: a row with a word stays open until each of its words is answered, or one leaves it out.
func TestOpenWords(t *testing.T) {
	said := func(all ...importer.StandingAnswer) (words []importer.NewWord) {
		for _, a := range all {
			words = append(words, importer.NewWord{Text: "HOLD", Answer: a})
		}
		return words
	}
	none, book, out := importer.StandingAnswer{}, importer.StandingAnswer{Verdict: importer.Book, Event: 7}, importer.StandingAnswer{Verdict: importer.LeaveOut, Event: 8}
	both := importer.StandingAnswer{Event: 9, Doubt: importer.Doubt{Sides: []importer.Side{{Who: "Ann", Verdict: importer.Book}, {Who: "Ben", Verdict: importer.LeaveOut}}}}

	for name, test := range map[string]struct {
		words    []importer.NewWord
		is       importer.State
		want     importer.State
		question importer.Question
		saw      int64
		open     bool
	}{
		"not answered":             {said(none), importer.Held, importer.Held, importer.AskWord, 5, true},
		"one of two is answered":   {said(book, none), importer.Held, importer.Held, importer.AskWord, 5, true},
		"one of two leaves it out": {said(none, out), importer.Held, importer.Held, importer.AskWord, 5, false},
		"neither counts":           {said(both), importer.Held, importer.Held, importer.AskWord, 9, true},
		"to be booked":             {said(book, book), importer.Held, importer.NotSent, importer.NoQuestion, 5, true},
		"booked, and stays so":     {said(book), importer.BookedEarlier, importer.BookedEarlier, importer.NoQuestion, 5, true},
	} {
		o, open := judge.OpenWords(importer.Outcome{State: test.is, Question: importer.AskWord, Saw: 5}, test.words)
		if open != test.open || open && (o.State != test.want || o.Question != test.question || o.Saw != test.saw || o.Contradicted != (test.saw == 9)) {
			t.Errorf("%s: %v, %+v", name, open, o)
		}
	}
}
