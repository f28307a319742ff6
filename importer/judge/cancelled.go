package judge

import (
	"cmp"
	"slices"

	"tripimport/importer"
)

// leftOut decides a row that is left out. Nothing of it is sent. The trips that are booked of it
// have to be cancelled by hand, whatever else in it is blank or wrong.
func leftOut(w *Wanted, k *importer.Known, m *matching, l *later, o *Options) []Decision {
	decisions := make([]Decision, len(w.Row.Trips))
	for i := range decisions {
		decisions[i] = Decision{Leg: i, Outcome: importer.Outcome{State: importer.LeftOut, Reason: w.Row.LeftOut}}
	}
	elsewhere := liveElsewhere(w, k)
	if !elsewhere && otherCopyHolds(w, k, l) {
		return decisions
	}
	if l != nil && l.says == importer.SaysLive {
		return l.apply(w, k, m, o)
	}

	booked, doubt := bookedOf(w, k, m)
	if elsewhere {
		booked, doubt = ofProvider(w, k, booked, doubt)
	}
	for _, s := range booked {
		reason := w.Row.LeftOut
		if doubt != "" {
			reason += "; perhaps this one: compare day, time and places, since " + doubt
		} else if s.Identity.Rider != "" && namesRider(k) && !ownRider(k, s) {
			reason += "; it is booked for " + s.Begins.Listed() + ", and perhaps for another rider: make sure that it is the same one before you cancel it"
		}
		d, listed := unwanted(s, k, o, reason)
		if !listed {
			noteCancelled(decisions, w, s)
			continue
		}
		leg := w.Row.TripOf(s.Leg)
		if leg >= 0 && decisions[leg].Trip == nil {
			d.Leg = leg
			decisions[leg] = d
			continue
		}
		decisions = append(decisions, d)
	}
	r := &rowJudge{Wanted: w, known: k, options: o, matching: *m}
	return append(decisions, r.notMadeByHand()...)
}

// liveElsewhere reports whether the newest file of another provider has a row live that is left out.
func liveElsewhere(w *Wanted, k *importer.Known) bool {
	word := k.Word()
	return word != nil && w.Arrival != nil && len(w.Row.Trips) > 0 && !k.SpeaksOf(w.Arrival, word, w.Row.Says(), w.Row.Bare())
}

// ofProvider returns the booked trips of a row that is left out which are with its provider, if the file is
// that provider's. A file that has no other row of it, or whose provider never had a trip of the row, may be no file
// of one provider: then all of them, in doubt.
func ofProvider(w *Wanted, k *importer.Known, booked []*importer.Standing, doubt string) ([]*importer.Standing, string) {
	provider := w.Row.Pair().Provider
	with := func(s *importer.Standing) bool { return importer.SameName(s.Account.Provider, provider) }
	had := slices.ContainsFunc(k.Trips, func(s importer.Standing) bool { return s.RowID == k.ID && with(&s) })
	if !had || !w.Arrival.HasLive(provider) {
		return booked, cmp.Or(doubt, "it has another transportation provider in the schedule")
	}
	return slices.DeleteFunc(booked, func(s *importer.Standing) bool { return !with(s) }), doubt
}

// otherCopyHolds reports whether another row of the file with the same id says what holds: it is live,
// or may be.
func otherCopyHolds(w *Wanted, k *importer.Known, l *later) bool {
	word := k.Word()
	if !w.Row.Cancelled {
		return word == nil || word.Says != importer.SaysLeftOut
	}
	return l == nil && word != nil && word.Says == importer.SaysLive
}

// noteCancelled marks the row's trip that a person has cancelled in the service, so that the
// results prove it if the ledger is lost.
func noteCancelled(decisions []Decision, w *Wanted, s *importer.Standing) {
	leg := w.Row.TripOf(s.Leg)
	if s.State == importer.TripCancelled && leg >= 0 && decisions[leg].Trip == nil {
		d := &decisions[leg]
		d.Trip = s
		d.Outcome.Answered, d.Outcome.Attempt, d.Outcome.GUID = true, s.Number, s.GUID
	}
}

// bookedOf returns the booked trips of a cancelled row: those of its row id and of its trip ids.
// Only a row with neither is looked for by its rider and day, and never finds a trip that a live
// row accounts for. doubt says why they may not be the row's; it is empty if they certainly are.
func bookedOf(w *Wanted, k *importer.Known, m *matching) (booked []*importer.Standing, doubt string) {
	add := func(s *importer.Standing) {
		if s != nil && inService(s) && !slices.Contains(booked, s) && !ofLiveRow(w, k, s) {
			booked = append(booked, s)
		}
	}
	for i := range m.own {
		add(m.own[i])
		add(m.unclear[i])
	}
	for _, s := range m.dropped {
		add(s)
	}
	if len(booked) > 0 || !w.Row.Cancelled {
		return booked, ""
	}

	return perhapsBooked(w, k)
}

// ofLiveRow reports whether a trip with one of a row's trip ids is that of another row, which stands live: the
// broker lists the legs as rows of their own now. Nobody is asked to cancel it because of this row. A row to which a
// person gave the day is this one with a day, unless the files have both.
func ofLiveRow(w *Wanted, k *importer.Known, s *importer.Standing) bool {
	fixed := s.Day == w.Row.Key.Date && !saidLive(w, k, s)
	return s.Row != k.Row && isLive(w, k, s) && (!fixed || !dayGiven(k, s))
}

// perhapsBooked returns the trips that may be those of a cancelled row, and why that is not
// certain: those of its id on another day, and for a row without any id those of its rider and
// day. It never returns a trip that a live row accounts for.
func perhapsBooked(w *Wanted, k *importer.Known) (booked []*importer.Standing, doubt string) {
	for i := range k.Trips {
		why := whyPerhaps(w, k, &k.Trips[i])
		if why == "" {
			continue
		}
		doubt = why
		if inService(&k.Trips[i]) {
			booked = append(booked, &k.Trips[i])
		}
	}
	return booked, doubt
}

// whyPerhaps says why a trip may be one of a cancelled row; empty if it is not.
func whyPerhaps(w *Wanted, k *importer.Known, s *importer.Standing) string {
	key := &w.Row.Key
	hasID := key.ID != "" || slices.ContainsFunc(w.Row.Trips, func(t importer.Trip) bool { return t.ID != "" })
	live := isLive(w, k, s)
	if key.Date.IsZero() && hasID { // the trips of its rows on other days, unless the file has these
		live = saidLive(w, k, s)
	}
	switch {
	case live:
	case hasID && (key.IDs != importer.RepeatedIDs || key.Date.IsZero()) && hasItsID(w, k, s):
		return "the row does not say that it is of that day"
	case !hasID && ownRider(k, s):
		return "the row has no id"
	}
	return ""
}

// saidLive reports whether the row's file has the row of a trip live. What it says is
// of no arrival, 0, before it is recorded.
func saidLive(w *Wanted, k *importer.Known, s *importer.Standing) bool {
	word := k.WordOf(s.Row)
	return word != nil && word.Says == importer.SaysLive && w.Arrival != nil && (word.Arrival == 0 || word.Arrival == w.Arrival.Number)
}

// inService reports whether a trip is or was in the service, as far as is known.
func inService(s *importer.Standing) bool {
	return s.State.Taken() || s.State == importer.TripCancelled
}

// namesRider reports whether the row says whose trips it has.
func namesRider(k *importer.Known) bool {
	return slices.ContainsFunc(k.Own, func(own importer.Own) bool { return own.Identity.Rider != "" })
}

// ownRider reports whether a trip is of the rider and the day of one of the row's trips.
func ownRider(k *importer.Known, s *importer.Standing) bool {
	return slices.ContainsFunc(k.Own, func(own importer.Own) bool {
		return own.Identity.Rider != "" && own.Identity.Rider == s.Identity.Rider
	})
}

// unwanted decides a booked trip that nobody wants any more: a person has to cancel it in the
// service. It reports false for a trip that is not in the service any more, whose day is past,
// or that a person wants left as it is.
func unwanted(s *importer.Standing, k *importer.Known, o *Options, reason string) (Decision, bool) {
	again := wasToReinstate(s, k)
	if !s.State.Taken() && !again || isPast(s, o) || isLeft(s, k) {
		return Decision{}, false
	}
	d := Decision{Leg: -1, Trip: s, Outcome: Recorded(s, o.Rules.Location)}
	if again {
		d.Outcome.State, d.Outcome.Answered = importer.CancelByHand, false
		d.Outcome.Reason = reason + "; it was listed to be reinstated since it was cancelled: if somebody did, cancel it again"
	} else if d.Outcome.State == importer.BookedEarlier {
		why := doubtOf(s)
		d.Outcome.State, d.Outcome.Reason, d.Outcome.Contradicted = importer.CancelByHand, joined(why, reason), why != ""
	} else {
		d.Outcome.Reason += "; if it is there, cancel it: " + reason
	}
	return d, true
}

// wasToReinstate reports whether a trip that a person cancelled, and whose row is off, was listed to be reinstated
// since, because its row was live again, and nobody has answered about that.
func wasToReinstate(s *importer.Standing, k *importer.Known) bool {
	word := k.WordOf(s.Row)
	return s.State == importer.TripCancelled && word != nil && word.Says != importer.SaysLive && s.Said != nil && slices.ContainsFunc(word.Earlier, func(v importer.WordVersion) bool {
		return v.Said > s.Said.Event && v.Digest != word.Digest
	})
}

// isLeft reports whether a person wants a booked trip left that its row does not make. The
// answer stands until the row's word changes.
func isLeft(s *importer.Standing, k *importer.Known) bool {
	word := k.WordOf(s.Row)
	return word != nil && slices.ContainsFunc(word.Answers, func(a importer.RowAnswer) bool {
		return a.Other == s.Number && a.Verdict == importer.LeaveIt && a.Event > wordOnDay(k, s).Said
	})
}

// wordOnDay returns the last word of a trip's row or, if a person gave it its day, of the row that the schedule has on that
// day since.
func wordOnDay(k *importer.Known, s *importer.Standing) *importer.Word {
	word := k.WordOf(s.Row)
	if word == nil || !dayGiven(k, s) {
		return word
	}
	return cmp.Or(importer.First(k.Words, func(w *importer.Word) bool { return w.ID == word.ID && w.Day == s.Day }), word)
}

// dayGiven reports whether a person gave a trip its day: its row has another one, of which no other leg is, or none that could be
// read, and never had the leg on that day.
func dayGiven(k *importer.Known, s *importer.Standing) bool {
	word := k.WordOf(s.Row)
	had := func(v importer.WordVersion) bool { return hasLegOn(v.Legs, s) }
	keepsDay := func(t importer.Standing) bool {
		return t.Row == s.Row && t.Leg != s.Leg && t.Day == word.Day && inService(&t)
	}
	return word.Day.IsZero() || word.Day != s.Day && word.LegAt(s.Claimed, s.Leg) != nil &&
		!slices.ContainsFunc(word.Versions(), had) && !slices.ContainsFunc(k.Trips, keepsDay)
}

// Gone decides the booked trips of a row whose last word is that it is gone from the schedule, or was cancelled or left out
// in an earlier one.
func Gone(k *importer.Known, o *Options) []Decision {
	var decisions []Decision
	for i := range k.Trips {
		s := &k.Trips[i]
		word := wordOnDay(k, s)
		if word == nil || word.Says == importer.SaysLive {
			continue
		}
		off := later{says: word.Says, stamp: word.Stamp}
		if d, listed := unwanted(s, k, o, off.about(0, o.Rules.Location)); listed {
			if d.Outcome.State == importer.CancelByHand && word.Says == importer.SaysGone {
				d.Outcome.Why = importer.WhyGone
			}
			note(&d.Outcome, k)
			decisions = append(decisions, d)
		}
	}
	return decisions
}

// hasItsID reports whether a trip has the id of the row, or one of its trip ids.
func hasItsID(w *Wanted, k *importer.Known, s *importer.Standing) bool {
	return s.RowID == k.ID || slices.ContainsFunc(w.Row.Trips, func(t importer.Trip) bool {
		return s.Broker == w.Row.Key.Broker && t.ID != "" && importer.SameID(t.ID, s.TripID)
	})
}
