package importer_test

import (
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
)

func TestParseVerdict(t *testing.T) {
	const guid = "5f0c1234-0000-4000-8000-00000000abcd"
	type want struct {
		verdict importer.Verdict
		guid    string
	}
	for text, w := range map[string]want{
		guid: {importer.There, guid}, " {" + strings.ToUpper(guid) + "} ": {importer.There, guid}, "GUID " + guid: {importer.There, guid},
		strings.ReplaceAll(guid, "-", ""): {importer.There, guid}, "there " + guid: {importer.There, guid}, guid + ", there.": {importer.There, guid},
		"There": {importer.There, ""}, "  NOT\nthere. ": {importer.NotThere, ""}, "`not there`": {importer.NotThere, ""},
		"Booked by Hand": {importer.BookedByHand, ""}, "booked by hand: " + guid: {importer.BookedByHand, guid},
		"done by hand": {importer.DoneByHand, ""}, "done by hand " + guid: {importer.DoneByHand, guid},
		"leave it": {importer.LeaveIt, ""}, "meant": {importer.Meant, ""}, "cancelled there": {importer.CancelledThere, ""},
		"\u201cleave it\u201d": {importer.LeaveIt, ""}, "\u201ebooked by hand\u201c": {importer.BookedByHand, ""}, "\u00abthere\u00bb": {importer.There, ""}, "\u00ab leave it\u00a0\u00bb": {importer.LeaveIt, ""}, "\u00ab\u00a0" + guid + " \u00bb": {importer.There, guid}, "\u2018meant\u2019.": {importer.Meant, ""},
		"leave\u00a0it\u200b": {importer.LeaveIt, ""}, "\ufeffnot there": {importer.NotThere, ""}, "\"" + guid + "\"": {importer.There, guid}, "there \u201c" + guid + "\u201d": {importer.There, guid},
		"Canceled there": {importer.CancelledThere, ""}, "book": {importer.Book, ""}, "leave out": {importer.LeaveOut, ""}, "rider is right": {importer.RiderIsRight, ""},
	} {
		if v, g, ok := importer.ParseVerdict(text); v != w.verdict || g != w.guid || !ok {
			t.Errorf("%q: %s %q %v", text, v, g, ok)
		}
	}

	for _, text := range []string{
		"", "none", "no", "No.", "missing", "yes", "y", "n", "later", "not", "there?", "not there?", "not there yet", "perhaps there", "ask Ann",
		"not " + guid, "not there " + guid, "leave it " + guid, guid + " " + guid, guid + " or " + guid, "5f0c1234", guid[1:], guid + "0",
		"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "{" + guid, "booked", "book it", "done",
		"\u201cthere\u201d?", "\u201cbooked by hand\u201d says Ann", "she said \u201cnot there\u201d", "(there)", "\u200b",
	} {
		if v, g, ok := importer.ParseVerdict(text); v != importer.NoVerdict || g != "" || ok {
			t.Errorf("%q was taken as %s %q", text, v, g)
		}
	}
}

// TestKeepsUnsent holds that every answer has a rule, and for which of them no trip is sent.
func TestKeepsUnsent(t *testing.T) {
	sends := map[importer.Verdict]bool{
		importer.There: false, importer.NotThere: true, importer.BookedByHand: false, importer.DoneByHand: false, importer.LeaveIt: false, importer.Meant: true,
		importer.CancelledThere: true, importer.Book: true, importer.LeaveOut: false, importer.RiderIsRight: true,
	}
	for v := importer.There; v.String() != ""; v++ {
		if want, decided := sends[v]; !decided || v.KeepsUnsent() == want {
			t.Errorf("`%s` keeps a trip unsent: %v; say here whether it sends one, and in its rule's Then", v, v.KeepsUnsent())
		}
		if !slices.ContainsFunc(importer.VerdictRules(), func(r importer.VerdictRule) bool { return r.Verdict == v }) {
			t.Errorf("`%s` has no rule", v)
		}
		if !v.Settles() {
			t.Errorf("`%s` leaves its trip on people's lists: say here if that is meant", v)
		}
	}
	if importer.NoVerdict.KeepsUnsent() {
		t.Error("no answer keeps a trip unsent")
	}
}

// TestVerdictsFit goes through every state, every question and every answer.
func TestVerdictsFit(t *testing.T) {
	const (
		found  = "there, not there, booked by hand"
		missed = "booked by hand, leave it, rider is right"
	)
	for name, c := range map[string]struct {
		outcome importer.Outcome
		want    string
	}{
		"may be booked":            {importer.Outcome{State: importer.Unknown}, found},
		"reinstate":                {importer.Outcome{State: importer.ReinstateByHand}, "done by hand, leave it"},
		"cancel":                   {importer.Outcome{State: importer.CancelByHand}, "done by hand, leave it"},
		"change by hand":           {importer.Outcome{State: importer.ChangeByHand}, "done by hand, leave it"},
		"changed":                  {importer.Outcome{State: importer.ChangeByHand}, "done by hand, leave it"},
		"changed, GUID missing":    {importer.Outcome{State: importer.ChangeByHand, GUIDMissing: true}, "there, done by hand, leave it"},
		"replaced":                 {importer.Outcome{State: importer.Held, Question: importer.AskReplaced}, "booked by hand, leave it, meant, cancelled there"},
		"reassigned":               {importer.Outcome{State: importer.Held, Question: importer.AskReassigned}, "leave it, cancelled there"},
		"way":                      {importer.Outcome{State: importer.Held, Question: importer.AskWay}, "leave it, cancelled there"},
		"other day":                {importer.Outcome{State: importer.Held, Question: importer.AskOtherDay}, "leave it, meant, cancelled there"},
		"double booking":           {importer.Outcome{State: importer.Held, Question: importer.AskDoubleBooking}, "booked by hand, leave it, meant, cancelled there"},
		"double booking, a fault":  {importer.Outcome{State: importer.Fix, Question: importer.AskDoubleBooking}, "booked by hand, leave it, meant, cancelled there, rider is right"},
		"word, booked":             {importer.Outcome{State: importer.BookedEarlier, Question: importer.AskWord}, "book, leave out"},
		"word":                     {importer.Outcome{State: importer.Held, Question: importer.AskWord}, "booked by hand, leave it, book, leave out"},
		"refused":                  {importer.Outcome{State: importer.Refused}, missed},
		"invalid":                  {importer.Outcome{State: importer.Fix}, missed},
		"not sent":                 {importer.Outcome{State: importer.NotSent}, "booked by hand, leave it"},
		"held":                     {importer.Outcome{State: importer.Held}, "booked by hand, leave it"},
		"booked":                   {importer.Outcome{State: importer.Booked}, ""},
		"booked, GUID missing":     {importer.Outcome{State: importer.Booked, GUIDMissing: true}, "there"},
		"booked earlier":           {importer.Outcome{State: importer.BookedEarlier}, ""},
		"earlier, GUID missing":    {importer.Outcome{State: importer.BookedEarlier, GUIDMissing: true}, "there"},
		"booked, a person says":    {importer.Outcome{State: importer.BookedEarlier, Answered: true}, found},
		"left out":                 {importer.Outcome{State: importer.LeftOut}, ""},
		"left":                     {importer.Outcome{State: importer.LeftOut, Answered: true}, "book"},
		"left out, and cancelled":  {importer.Outcome{State: importer.LeftOut, Answered: true, Attempt: 3}, ""},
		"ready":                    {importer.Outcome{State: importer.Ready}, ""},
		"change refused":           {importer.Outcome{State: importer.ChangeByHand}, "done by hand, leave it"},
		"change unclear":           {importer.Outcome{State: importer.ChangeUnknown}, "done by hand, leave it"},
		"gone":                     {importer.Outcome{State: importer.CancelByHand}, "done by hand, leave it"},
		"changed, a person's word": {importer.Outcome{State: importer.ChangeByHand, Answered: true}, "there, not there, booked by hand, done by hand, leave it"},
		"by hand, a person's word": {importer.Outcome{State: importer.ChangeByHand, Answered: true}, "there, not there, booked by hand, done by hand, leave it"},
	} {
		fit := c.outcome.Verdicts()
		var words []string
		for _, v := range fit {
			words = append(words, v.String())
		}
		if got := strings.Join(words, ", "); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
		for v := importer.There; v.String() != ""; v++ {
			if r, ok := v.RuleOf(&c.outcome); ok != slices.Contains(fit, v) || ok && r.Verdict != v {
				t.Errorf("%s: %q fits: %v", name, v, ok)
			}
		}
	}
}
