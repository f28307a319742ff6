package returned

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

// An answer beside no trip, in whatever sheet it stands, also in one that people added, refuses the workbook. Notes without the
// words of an answer, and answers that a text quotes, are none.
func TestAnswersBesideNoTrip(t *testing.T) {
	for _, c := range []struct {
		sheet, cell, text string
		refused           bool
	}{
		{sheetName, "I22", "there", true},
		{sheetName, "I23", "called them all, Dana", false},
		{sheetName, "B24", "row 5: leave it, says Dana", true},
		{"Dana", "A1", "what I did on Tuesday", false},
		{"Dana", "A2", "the office says `leave it` is an answer", false},
		{"Dana", "B3", "trip 3: Booked by hand", true},
		{"Dana", "B4", "There.", true},
		{"Dana", "B5", "not there", true},
		{"Dana", "B6", "book", false},
		{"Dana", "B7", "5f0c1234-0000-4000-8000-00000000abcd", false},
		{"Dana", "B8", "not there yet", false},
		{"Summary", "H3", "leave it", true},
		{"Summary", "H5", "lea\u200bve\u00a0it: \uff2b\uff49\uff4d", true},
	} {
		_, err := edited(t, func(f *excelize.File) {
			if _, err := f.NewSheet("Dana"); err != nil {
				t.Fatal(err)
			}
			set(t, f, c.sheet, c.cell, c.text)
		})
		in, refused := errors.AsType[*importer.InputError](err)
		if refused != c.refused || refused && (in.At.A1() != c.cell || in.Reason != besideNoTrip) {
			t.Errorf("%s!%s, %q: %v", c.sheet, c.cell, c.text, err)
		}
	}
}

// What may be an answer in a comment is one of the row in which the comment stands, unless the row has an answer where it
// belongs. Beside no row of ours it may be about any. Remarks, quoted answers, our own notes and the trip's own GUID are none.
func TestComments(t *testing.T) {
	guid := resultstest.Night(1)[0].Trips[0].Outcome.GUID
	for _, c := range []struct{ cell, text, answer, loose string }{
		{cell: "I3", text: "Dana Ames:\nBooked by hand.", answer: "Results!I3 (comment): Dana Ames: Booked by hand."},
		{cell: "F3", text: "outbound: not there; return: there", answer: "Results!F3 (comment): outbound: not there; return: there"},
		{cell: "F3", text: "Dana Ames:\nthere", answer: "Results!F3 (comment): Dana Ames: there"},
		{cell: "F3", text: "Dana Ames:\nrider is right", answer: "Results!F3 (comment): Dana Ames: rider is right"},
		{cell: "F3", text: "not there"}, // nobody asked
		{cell: "B7", text: "she called: leave it, or\n phone", answer: "Results!B7 (comment): she called: leave it, or phone"},
		{cell: "A3", text: "[Threaded comment]\n\nYour version of Excel allows you to read this.\n\nComment:\n    leave it", answer: "Results!A3 (comment): [Threaded comment] Your version of Excel allows you to read this. Comment: leave it"},
		{cell: "A5", text: "leave it"}, // beside an answer
		{cell: "I3", text: "called her, she is fine"},
		{cell: "I3", text: "the office says `leave it` is an answer"},
		{cell: "I2", text: guid},
		{cell: "I3", text: `a 5" step: booked by hand`, answer: `Results!I3 (comment): a 5" step: booked by hand`},
		{cell: "I3", text: "Dana:\nbooked\nby hand", answer: "Results!I3 (comment): Dana: booked by hand"},
		{cell: "F3", text: "Dana:\nleave\nit, says Kim", answer: "Results!F3 (comment): Dana: leave it, says Kim"},
		{cell: "F3", text: "Dana:\ndone\nby hand", answer: "Results!F3 (comment): Dana: done by hand"},
		{cell: "I3", text: "Dana:\nshe had to leave\nat ten; it is fine"},
		{cell: "I40", text: "leave it", loose: "Results!I40 (comment)"},
		{cell: "A1", text: "write `booked by hand` or so"},
		{cell: "A1", text: "leave it", loose: "Results!A1 (comment)"},
	} {
		r, err := edited(t, func(f *excelize.File) {
			set(t, f, sheetName, "I5", "there")
			comment(t, f, c.cell, c.text)
		})
		if in, refused := errors.AsType[*importer.InputError](err); refused {
			if in.At.String() != c.loose || in.Reason != besideNoTrip {
				t.Errorf("%s, %q: %v", c.cell, c.text, err)
			}
			continue
		}
		var texts []string
		for _, a := range r.Answers {
			if a.At.Header == "comment" {
				texts = append(texts, a.At.String()+": "+a.Text)
			}
		}
		if answer := strings.Join(slices.Compact(texts), "\n"); answer != c.answer || c.loose != "" { // once for both legs
			t.Errorf("%s, %q: answer %q, want %q; it is beside a trip", c.cell, c.text, answer, c.answer)
		}
	}
}

// comment adds a text to the comment on a cell of the results.
func comment(t *testing.T, f *excelize.File, cell, text string) {
	t.Helper()
	all, err := f.GetComments(sheetName)
	for _, c := range all {
		if c.Cell == cell {
			text = c.Text + "\n" + text
			err = errors.Join(err, f.DeleteComment(sheetName, cell))
		}
	}
	if err := errors.Join(err, f.AddComment(sheetName, excelize.Comment{Cell: cell, Author: "Dana", Text: text})); err != nil {
		t.Fatal(err)
	}
}

// A workbook of ours that can't be read may have an answer in a comment alone.
func TestCommentedWorkbook(t *testing.T) {
	for text, want := range map[string]bool{"booked by hand": true, "called her, she is fine": false} {
		name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), resultstest.Night(20))
		f, err := excelize.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		comment(t, f, "D3", text)
		if err := errors.Join(f.Save(), f.Close()); err != nil {
			t.Fatal(err)
		}
		if got := Answered(name); got != want {
			t.Errorf("%q: answered is %t", text, got)
		}
	}
}
