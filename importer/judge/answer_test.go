package judge_test

import (
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// TestTake: an answer counts if nothing happened to its subject since that it contradicts.
func TestTake(t *testing.T) {
	waits := func() *world { // a trip that may be booked
		w := newWorld()
		w.arrive(w.now, true, visit("1", "r", "08:00"))
		w.book(visit("1", "r", "08:00"), 0, importer.TripUnclear)
		w.now = w.now.Add(time.Hour)
		return w
	}
	toCancel := func() *world {
		w := booked(visit("1", "r", "08:00"))
		w.tonight(cancelled(visit("1", "r", "08:00")))
		return w
	}
	answer := func(w *world, shown importer.State, v importer.Verdict) importer.Answer {
		return importer.Answer{Trip: 1, Saw: w.event, Shown: shown, Verdict: v, Who: "Ann", At: w.now}
	}
	for _, test := range []struct {
		name    string
		world   func() *world
		shown   importer.State
		verdict importer.Verdict
		before  func(w *world, saw *importer.Answer) // what happens after the person looked
		refused bool
		want    importer.TripState
	}{
		{name: "there", world: waits, verdict: importer.There, want: importer.TripBooked},
		{name: "not there", world: waits, verdict: importer.NotThere, want: importer.TripNotSent},
		{name: "not there, looked too early", world: waits, verdict: importer.NotThere, before: func(w *world, a *importer.Answer) {
			a.At = w.trips[0].ClaimedAt.Add(14 * time.Minute)
		}, refused: true, want: importer.TripUnclear},
		{name: "not there, proved by the service", world: func() *world { return booked(visit("1", "r", "08:00")) }, shown: importer.BookedEarlier, verdict: importer.NotThere, refused: true, want: importer.TripBooked},
		{name: "not there, after it was sent again", world: waits, verdict: importer.NotThere, before: func(w *world, _ *importer.Answer) {
			w.trips[0].Claimed = w.next()
		}, refused: true, want: importer.TripUnclear},
		{name: "not there, and a colleague said so too", world: waits, verdict: importer.NotThere, before: func(w *world, a *importer.Answer) { w.take(*a) }, want: importer.TripNotSent},
		{name: "not there, and a colleague found it", world: waits, verdict: importer.NotThere, before: func(w *world, a *importer.Answer) {
			other := *a
			other.Verdict, other.Who = importer.There, "Ben"
			w.take(other)
		}, refused: true, want: importer.TripUnclear},
		{name: "there after all, on a newer list", world: waits, verdict: importer.There, before: func(w *world, a *importer.Answer) {
			other := *a
			other.Verdict = importer.NotThere
			w.take(other)
			w.trips[0].State = importer.TripUnclear
			a.Saw = w.event
		}, want: importer.TripBooked},
		{name: "cancelled by hand, and said so beside another row too", world: toCancel, shown: importer.CancelByHand, verdict: importer.DoneByHand, before: func(w *world, a *importer.Answer) {
			other := *a
			other.Verdict = importer.CancelledThere
			w.take(other)
		}, want: importer.TripCancelled},
		{name: "booked by hand", world: waits, verdict: importer.BookedByHand, want: importer.TripBooked},
		{name: "cancelled by hand", world: toCancel, shown: importer.CancelByHand, verdict: importer.DoneByHand, want: importer.TripCancelled},
		{name: "cancelled by hand, and a colleague left it", world: toCancel, shown: importer.CancelByHand, verdict: importer.DoneByHand, before: func(w *world, a *importer.Answer) {
			other := *a
			other.Verdict = importer.LeaveIt
			w.take(other)
		}, refused: true, want: importer.TripBooked},
		{name: "cancelled by hand, and a colleague changed it, as it was live again", world: toCancel, shown: importer.CancelByHand, verdict: importer.DoneByHand, before: func(w *world, a *importer.Answer) {
			w.now = w.now.Add(time.Hour)
			w.tonight(visit("1", "r", "08:30"))
			other := *a
			other.Shown, other.Saw, other.Who = importer.ChangeByHand, w.event, "Ben"
			w.take(other)
		}, refused: true, want: importer.TripBooked},
		{name: "left, and live again meanwhile", world: toCancel, shown: importer.CancelByHand, verdict: importer.LeaveIt, before: func(w *world, _ *importer.Answer) {
			w.now = w.now.Add(time.Hour)
			w.tonight(visit("1", "r", "08:00"))
		}, refused: true, want: importer.TripBooked},
		{name: "an answer that fits nothing", world: waits, verdict: importer.Meant, refused: true, want: importer.TripUnclear},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := test.world()
			a := answer(w, test.shown, test.verdict)
			if test.before != nil {
				test.before(w, &a)
			}
			refused := w.take(a)
			if got := w.trips[0].State; got != test.want || (refused != nil) != test.refused {
				t.Errorf("got %s, refused %v", got.Code(), refused)
			}
		})
	}
}

// TestEveryRule: an answer that is offered is taken while nothing has happened since, whatever is known of its trip.
func TestEveryRule(t *testing.T) {
	sent := map[importer.State]importer.TripState{ // a row in any other state was not sent
		importer.Unknown: importer.TripUnclear, importer.Refused: importer.TripRefused, importer.NotSent: importer.TripNotSent,
		importer.Booked: importer.TripBooked, importer.BookedEarlier: importer.TripBooked, importer.CancelByHand: importer.TripBooked,
		importer.ChangeByHand: importer.TripBooked, importer.ChangeUnknown: importer.TripBooked, importer.ReinstateByHand: importer.TripCancelled,
	}
	for _, r := range importer.VerdictRules() {
		var shown []importer.Outcome
		for _, s := range r.States {
			shown = append(shown, importer.Outcome{State: s})
		}
		for _, q := range r.Questions {
			shown = append(shown, importer.Outcome{State: importer.Held, Question: q})
		}
		for _, flag := range []struct {
			of bool
			importer.Outcome
		}{
			{r.GUIDMissing, importer.Outcome{State: importer.Booked, GUIDMissing: true}},
			{r.Answered, importer.Outcome{State: importer.BookedEarlier, Answered: true}},
			{r.Left, importer.Outcome{State: importer.LeftOut, Answered: true}},
			{r.Moved, importer.Outcome{State: importer.LeftOut, Answered: true, Moved: true}},
			{r.Contradicted, importer.Outcome{State: importer.ChangeByHand, Contradicted: true}},
		} {
			if flag.of {
				shown = append(shown, flag.Outcome)
			}
		}
		if len(shown) == 0 {
			t.Errorf("`%s`, %s: this test shows no trip that it fits", r.Verdict, r.Does)
		}
		for _, o := range shown {
			if rule, _ := r.Verdict.RuleOf(&o); rule.Does != r.Does {
				t.Fatalf("`%s`, %s: it does not fit %s", r.Verdict, r.Does, o.State.Code())
			}
			w := newWorld()
			w.arrive(w.now, true, visit("1", "r", "08:00"))
			a := importer.Answer{Row: 1, Shown: o.State, Question: o.Question, Verdict: r.Verdict, Who: "Ann"}
			state, was := sent[o.State]
			if o.Question != importer.NoQuestion && o.Question != importer.AskWord && o.Question != importer.AskAgain {
				state, was = importer.TripBooked, true // the trip that the question names
			}
			if was {
				s := w.book(visit("1", "r", "08:00"), 0, state)
				s.Proved, s.Answered, s.GUIDMissing = s.Proved && !o.Answered && !o.Contradicted, o.Answered, o.GUIDMissing
				if a.Trip = s.Number; o.State.Missing() { // the answer is about the row
					a.Trip, a.Other = 0, s.Number
				}
			}
			w.now = w.now.Add(time.Hour)
			a.Saw, a.At = w.event, w.now
			effects, refused := judge.Take(a, w.everything())
			isCell := r.Verdict == importer.RiderIsRight // no answer about a trip: a retry sends the cell
			switch {
			case refused != nil && !isCell:
				t.Errorf("`%s` about %s %s is offered and refused: %s", r.Verdict, o.State.Code(), o.Question.Code(), refused.Reason)
			case effects == nil && !isCell && !r.Verdict.AboutWords(o.Question):
				t.Errorf("`%s` about %s %s does nothing", r.Verdict, o.State.Code(), o.Question.Code())
			}
		}
	}
}

// TestSeen: what a person did by hand is compared with what the person saw.
func TestSeen(t *testing.T) {
	for _, v := range []importer.Verdict{importer.DoneByHand, importer.LeaveIt} {
		w := booked(visit("1", "r", "08:00"))
		w.options.SendChanges = false
		d := w.tonight(visit("1", "r", "08:30"))
		w.now = w.now.Add(time.Hour)
		w.tonight(visit("1", "r", "09:00")) // after the person looked
		if refused := w.answer(t, &d[0], importer.OnlyLeg, v); refused != nil {
			t.Fatal(refused.Reason)
		}
		if got := summary(w.tonight(visit("1", "r", "09:00"))); got != "change_by_hand" {
			t.Errorf("%s about 8:30, and the schedule says 9:00: %s", v, got)
		}
		w.now = w.now.Add(time.Hour)
		if got := summary(w.tonight(visit("1", "r", "08:30"))); got != "booked_earlier" {
			t.Errorf("%s about 8:30, and the schedule says so: %s", v, got)
		}
	}
}

// TestContradicted: two answers about a change hold the trip until a person answers again.
func TestContradicted(t *testing.T) {
	w := booked(visit("1", "r", "08:00"))
	w.options.SendChanges = false
	d := w.tonight(visit("1", "r", "08:30"))
	w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused == nil {
		t.Error("two different answers both count")
	}
	w.options.SendChanges = true
	d = w.tonight(visit("1", "r", "08:30"))
	if summary(d) != "change_by_hand" {
		t.Errorf("got %s", summary(d))
	}
	w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
	if got := summary(w.tonight(visit("1", "r", "08:30"))); got != "booked_earlier" {
		t.Errorf("answered again: %s", got)
	}
}

// TestChangedBack: who made a trip another rider's by hand and did the same again from the old list has changed it back,
// if a run changed its time in between.
func TestChangedBack(t *testing.T) {
	for _, changed := range []bool{false, true} {
		w := booked(visit("1", "r", "08:00"))
		d := w.tonight(visit("1", "another", "08:30"))
		if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand); refused != nil {
			t.Fatal(refused.Reason)
		}
		w.now = w.now.Add(time.Hour)
		later := visit("1", "another", "08:30")
		if changed {
			later = visit("1", "another", "09:00")
		}
		if got := summary(w.tonight(later)); (got == "change pickup.pickup_time") != changed {
			t.Fatalf("after that, changed %v: %s", changed, got)
		}
		w.trips[0].Sent, w.trips[0].Seen = w.look(later).Own[0].Values, w.words[0].Legs[0].Values // a run sent it
		if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand); (refused != nil) != changed {
			t.Errorf("done by hand again, changed %v: %v", changed, refused)
		}
		if got := summary(w.tonight(later)); (got == "booked_earlier") == changed {
			t.Errorf("and then, changed %v: %s", changed, got)
		}
	}
}

// TestTakeAboutRow: answers to questions about trips that are not booked.
func TestTakeAboutRow(t *testing.T) {
	asked := func() (*world, []judge.Decision, []*importer.Mapped) {
		rows := with(filler(12), visit("2", "r", "13:00"))
		w := booked(with(filler(12), visit("1", "r", "08:00"))...)
		return w, w.tonight(rows...), rows
	}
	for _, test := range []struct {
		name    string
		verdict importer.Verdict
		want    string
	}{
		{"meant", importer.Meant, "send"},
		{"the other one was cancelled", importer.CancelledThere, "send"},
		{"leave it", importer.LeaveIt, "left_out"},
		{"booked by hand", importer.BookedByHand, "enter"},
	} {
		w, d, rows := asked()
		if refused := w.answer(t, &d[0], importer.OnlyLeg, test.verdict); refused != nil {
			t.Errorf("%s: %s", test.name, refused.Reason)
		}
		if got := summary(w.tonight(rows...)); got != test.want {
			t.Errorf("%s: %s", test.name, got)
		}
	}

	w, d, rows := asked()
	w.answer(t, &d[0], importer.OnlyLeg, importer.Meant)
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused == nil {
		t.Error("two different answers both count")
	}
	if got := summary(w.tonight(rows...)); got == "send" {
		t.Errorf("after two answers: %s", got)
	}

	w, d, rows = asked()
	w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt)
	w.answer(t, &d[0], importer.OnlyLeg, importer.Meant)
	d = w.tonight(rows...)
	if summary(d) != "held replaced?" {
		t.Errorf("after two answers: %s", summary(d))
	}
	w.answer(t, &d[0], importer.OnlyLeg, importer.Meant)
	if got := summary(w.tonight(rows...)); got != "send" {
		t.Errorf("after the third: %s", got)
	}

	inFile := importer.Answer{Row: 1, Verdict: importer.CancelledThere, Question: importer.AskDoubleBooking, Saw: w.event}
	if _, refused := judge.Take(inFile, w.everything()); refused == nil {
		t.Error("a trip of the same file was cancelled")
	}
}

// TestTakeAboutOtherDay answers about a row on the day that a workbook had and the schedule has by now. The car that a person booked by
// hand on the day before still has to be cancelled.
func TestTakeAboutOtherDay(t *testing.T) {
	moved := row("2", tripOf{rider: "r", from: "12", to: "90", at: at(day(3), "13:00")})
	for _, test := range []struct {
		name string
		said importer.Answer
		day  importer.Date
		want string
	}{
		{"a text that can't be taken", importer.Answer{Note: "ask Dana", Where: "list.xlsx, B2", In: "list.xlsx"}, day(3), "held again? | not made: cancel_by_hand"},
		{"booked by hand too", importer.Answer{Verdict: importer.BookedByHand}, day(3), "held again? | not made: cancel_by_hand"},
		{"the same once more", importer.Answer{Verdict: importer.BookedByHand}, day(2), "send | not made: cancel_by_hand"},
		{"left", importer.Answer{Verdict: importer.LeaveIt}, day(3), "held again? | not made: cancel_by_hand"},
		{"a text about the day before", importer.Answer{Note: "ask Dana", Where: "list.xlsx, B2", In: "list.xlsx"}, day(2), "send | not made: cancel_by_hand"},
	} {
		w := newWorld()
		w.arrive(w.now, true, visit("2", "r", "13:00"))
		shown := importer.Answer{Row: 1, Saw: w.event, Shown: importer.Held, Day: day(2), Who: "Ann", At: w.now}
		byHand := shown
		byHand.Verdict = importer.BookedByHand
		w.take(byHand)
		w.now = w.now.Add(time.Hour)
		a := w.arrive(w.now, true, moved)
		test.said.Row, test.said.Saw, test.said.Shown, test.said.Day, test.said.Who, test.said.At = 1, shown.Saw, shown.Shown, test.day, "Ben", w.now
		w.take(test.said)
		if got := summary(w.judge(moved, a)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestReadAgain: a workbook that could not be read holds its trips no more once it can be. What somebody typed, was said before
// it, or stands elsewhere is no less in doubt.
func TestReadAgain(t *testing.T) {
	row := visit("2", "r", "13:00")
	for _, test := range []struct {
		name   string
		before func(w *world, a importer.Answer)
		gone   func(a *importer.Answer)
		want   string
	}{
		{name: "it can be read again", want: "send"},
		{name: "another file", want: "held again?", gone: func(a *importer.Answer) { a.Where = "copy.xlsx" }},
		{name: "the other leg", want: "held again?", gone: func(a *importer.Answer) { a.Leg = importer.ReturnLeg }},
		{name: "it was left before", want: "held again?", before: func(w *world, a importer.Answer) {
			a.Verdict, a.Note, a.Where = importer.LeaveIt, "", "terminal"
			w.take(a)
		}},
		{name: "another file can't be read", want: "held again?", before: func(w *world, a importer.Answer) {
			a.Where = "paula.xlsx"
			w.take(a)
		}},
	} {
		w := newWorld()
		w.arrive(w.now, true, row)
		unread := importer.Answer{Row: 1, Saw: w.event, Shown: importer.Fix, Note: importer.UnreadableFile, Who: "Ann", Where: "dana.xlsx", At: w.now}
		if test.before != nil {
			test.before(w, unread)
		}
		w.take(unread)
		if got := summary(w.tonight(row)); got != "held again?" {
			t.Errorf("%s, while it can't be read: %s", test.name, got)
		}
		gone := unread
		gone.Note, gone.Saw = "", w.event
		if test.gone != nil {
			test.gone(&gone)
		}
		w.take(gone)
		if got := summary(w.tonight(row)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestTakeFix takes what was fixed in a list as long as its row is as it was there.
// TestTakeNotes: what a person writes is told as their text, also in the words of the program's own notes.
func TestTakeNotes(t *testing.T) {
	w := newWorld()
	w.arrive(w.now, true, visit("1", "r", "08:00"))
	w.book(visit("1", "r", "08:00"), 0, importer.TripUnclear)
	k := w.look(visit("1", "r", "08:00"))
	_, refusal := judge.Take(importer.Answer{Trip: 1, Saw: w.event, Shown: importer.Unknown, Who: "Ann", Note: importer.OneGUID, Where: "a.xlsx, Results!I2", In: "a.xlsx", At: w.now}, k)
	if refusal == nil || !refusal.Waits {
		t.Fatal("the text was taken")
	}
	doubt := importer.Doubt{Note: importer.OneGUID, Who: "Ann", Where: "a.xlsx, Results!I2", In: "a.xlsx"}
	if got, want := judge.Told(doubt), "what Ann wrote in a.xlsx, Results!I2 could not be taken"; got != want {
		t.Errorf("told as %q, want %q", got, want)
	}
}

func TestTakeFix(t *testing.T) {
	shown := importer.Outcome{State: importer.Fix, Saw: 7}
	if refusal := judge.TakeFix(7, &shown); refusal != nil {
		t.Errorf("of the row as it is: %v", *refusal)
	}
	if refusal := judge.TakeFix(6, &shown); refusal == nil || !refusal.Waits {
		t.Errorf("of a row that has changed: %v, want a refusal that waits", refusal)
	}
	if refusal := judge.TakeFix(7, nil); refusal == nil || refusal.Waits {
		t.Errorf("of a row that is done: %v, want a refusal for which nothing waits", refusal)
	}
}

// TestProof takes the GUID that the service gave from the results of the run that sent the trip, also while the trip
// counts as being sent: the run has ended. Nothing else is known of a trip that is being sent.
func TestProof(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*importer.Answer)
		taken  bool
	}{
		{"of the attempt", func(*importer.Answer) {}, true},
		{"of an earlier attempt", func(a *importer.Answer) { a.Saw-- }, false},
		{"a person's answer", func(a *importer.Answer) { a.Proof = false }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			w.arrive(w.now, true, visit("1", "r", "08:00"))
			s := w.book(visit("1", "r", "08:00"), 0, importer.TripSending)
			a := importer.Answer{
				Trip: s.Number, Row: s.Row, Leg: s.Leg, Saw: s.Claimed, Shown: importer.Unknown, Verdict: importer.There,
				GUID: "8e0b6f64-5a3a-4a0e-9a53-2b1f6b1d7f10", Proof: true, At: w.now,
			}
			test.change(&a)
			if refused := w.take(a); (refused == nil) != test.taken {
				t.Fatalf("refused: %v", refused)
			}
			if is := w.trips[s.Number-1].State == importer.TripBooked; is != test.taken {
				t.Errorf("the trip is %s", w.trips[s.Number-1].State.Code())
			}
		})
	}
}

// TestMeantAfterText: that a trip is meant beside another one says nothing of whether it is booked by hand.
func TestMeantAfterText(t *testing.T) {
	for _, said := range []struct {
		first importer.Verdict
		want  string
	}{{importer.BookedByHand, "held again?"}, {importer.NoVerdict, "send"}} {
		w := newWorld()
		w.arrive(w.now, true, visit("1", "r", "08:00"))
		w.book(visit("1", "r", "08:00"), 0, importer.TripBooked)
		w.now = w.now.Add(time.Hour)
		w.arrive(w.now, true, visit("2", "r", "08:00"))
		about := importer.Answer{Row: 2, Saw: w.event, Shown: importer.Held, Question: importer.AskReplaced, Other: 1, Day: day(2), Who: "Ann", At: w.now}
		for _, v := range []importer.Verdict{said.first, importer.NoVerdict, importer.Meant} {
			a := about
			a.Verdict, a.Saw = v, w.event
			if v == importer.NoVerdict {
				a.Note, a.Where, a.In = "ask Dana", "list.xlsx, B2", "list.xlsx"
			}
			w.take(a)
		}
		if got := summary(w.tonight(visit("2", "r", "08:00"))); got != said.want {
			t.Errorf("after `%s`: %s, want %s", said.first, got, said.want)
		}
	}
}
