package returned

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// An Answer is what a person wrote under What we found about a trip.
type Answer struct {
	// At is the cell in the results file.
	At importer.Ref
	// Row is the row's number in the input; 0 for an answer in a line of a list.
	Row int
	Leg importer.Leg
	// Shown is the trip's outcome as the results have it, with the fields that answers
	// need.
	Shown importer.Outcome
	// Verdict is NoVerdict if the text can't be read, or does not say which of the row's
	// trips it is about. It may be a verdict that does not fit the trip.
	Verdict importer.Verdict
	// GUID is the GUID that the answer gives, or "".
	GUID string
	// Text is the part of the cell that is about the trip.
	Text string
	// Who is the person who answered, if a morning workbook says so. Saved is when the file was
	// saved last, which is no earlier than the look into the service; zero if it is not known.
	Who   string
	Saved time.Time
}

// Where names the cell of the answer, with its file if At has one.
func (a *Answer) Where() string { return strings.TrimPrefix(a.At.File+", "+a.At.String(), ", ") }

// KeepsUnsent reports whether the answer may mean that its trip is not to be sent. A text
// that can't be read may mean that if it has the words of such an answer.
func (a *Answer) KeepsUnsent() bool {
	if a.Verdict != importer.NoVerdict {
		return a.Verdict.KeepsUnsent()
	}
	return names(a.Text, slices.DeleteFunc(a.Shown.Verdicts(), func(v importer.Verdict) bool { return !v.KeepsUnsent() }))
}

// names reports whether a text has the words of one of the verdicts.
func names(text string, verdicts []importer.Verdict) bool {
	text = strings.Join(importer.WordsOf(text), " ")
	return slices.ContainsFunc(verdicts, func(v importer.Verdict) bool { return strings.Contains(text, v.String()) })
}

// answersOf reads the answers about the row's trips, and what was written where nobody asks. An
// answer without a leg is about all trips that it fits; if it fits none, it is about all trips for
// which there are answers.
func (r *Results) answersOf(e *editedRow) []Answer {
	var answers []Answer
	add := func(a Answer, trips []seal.TripKey) {
		if e.key.Source {
			a.Row = e.key.Row
		}
		for _, t := range trips {
			a.Leg, a.Shown = t.Leg, t.Outcome
			answers = append(answers, a)
		}
	}

	asked := e.tripsFor(importer.OnlyLeg, nil, importer.NoVerdict)
	if len(asked) == 0 { // nothing is asked
		asked = e.key.Trips[:min(1, len(e.key.Trips))]
	}
	byLeg := e.answerByLeg()
	for leg, text := range byLeg {
		verdict, guid, _ := importer.ParseVerdict(text)
		trips := e.tripsFor(leg, byLeg, verdict)
		if len(trips) == 0 { // no answer fits that leg
			verdict, guid, trips = importer.NoVerdict, "", asked
		}
		if len(trips) > 1 && (guid != "" || verdict == importer.DoneByHand && trips[0].Attempt != 0 && trips[0].Attempt == trips[1].Attempt) {
			verdict, guid = importer.NoVerdict, "" // one GUID was given for two trips, or one booked trip would be both
		}
		if prefix := leg.String() + ":"; leg != importer.OnlyLeg && !strings.Contains(strings.ToLower(text), prefix) {
			text = prefix + " " + text
		}
		add(Answer{At: e.answerAt, Verdict: verdict, GUID: guid, Text: text, Who: e.who}, trips)
	}

	slices.SortStableFunc(answers, func(a, b Answer) int { // what can't be read comes last, so that its trip waits
		return cmp.Or(cmp.Compare(a.Leg, b.Leg), cmp.Compare(min(b.Verdict, 1), min(a.Verdict, 1)))
	})
	for _, typed := range e.answersBeside(append(e.typed, answersIn(r.comments[e.at.Sheet][e.at.Row], e.at, e.key.Trips...)...)) {
		add(typed, asked)
	}
	return answers
}

// answerByLeg splits the row's answer by legs. No part counts beside one about a leg of which nothing is asked.
func (e *editedRow) answerByLeg() map[importer.Leg]string {
	byLeg := splitByLeg(e.answer)
	for leg := range byLeg {
		if len(byLeg) > 1 && len(e.tripsFor(leg, byLeg, importer.NoVerdict)) == 0 {
			return map[importer.Leg]string{importer.OnlyLeg: e.answer}
		}
	}
	return byLeg
}

// tripsFor returns the trips of the row that a verdict is about: those with the leg, or
// for OnlyLeg those whose legs are not among named. Trips that the verdict fits are
// preferred; without any, it returns all trips for which there are answers.
func (e *editedRow) tripsFor(leg importer.Leg, named map[importer.Leg]string, v importer.Verdict) []seal.TripKey {
	var fit, open []seal.TripKey
	for _, t := range e.key.Trips {
		if _, apart := named[t.Leg]; t.Leg != leg && (leg != importer.OnlyLeg || apart) || len(t.Verdicts()) == 0 {
			continue
		}
		open = append(open, t)
		if _, fits := v.RuleOf(&t.Outcome); fits {
			fit = append(fit, t)
		}
	}
	if len(fit) > 0 {
		return fit
	}
	return open
}

// misplacedAnswer returns the reason for which the row's answer must belong to another
// row, or "": nothing is asked about this row, or the status beside the answer is another
// row's. Otherwise a column of answers that was sorted alone would settle the wrong
// trips. A text that is not an answer may stand anywhere.
func (e *editedRow) misplacedAnswer() string {
	switch {
	case !hasAnswer(e.answer):
	case len(e.tripsFor(importer.OnlyLeg, nil, importer.NoVerdict)) == 0:
		return "there is an answer beside a trip that nobody asked about"
	case e.hasOtherStatus():
		return "the status beside the answer is another row's"
	}
	return ""
}

// hasOtherStatus reports whether a status stands over the row's that is not its own.
func (e *editedRow) hasOtherStatus() bool {
	return slices.ContainsFunc(e.typed, func(w Answer) bool { return w.At.Header == seal.StatusHeader && isStatus(w.Text) })
}

// isStatus reports whether a text is the status of a row.
func isStatus(text string) bool {
	text = strings.TrimPrefix(text, seal.HalfBookedPrefix)
	for s := range importer.State(importer.StateCount) {
		if strings.EqualFold(text, s.String()) {
			return true
		}
	}
	return false
}

// hasAnswer reports whether a text has an answer, and is not a mere remark.
func hasAnswer(text string) bool { return len(verdictsIn(text, nil)) > 0 }

// isVerdict reports whether a text has an answer that a trip is not to be sent or that fits one of the trips, and not merely the
// GUID of one of them.
func isVerdict(text string, trips ...seal.TripKey) bool {
	return slices.ContainsFunc(verdictsIn(text, trips), func(v importer.Verdict) bool {
		return v.KeepsUnsent() || slices.ContainsFunc(trips, func(t seal.TripKey) bool { return slices.Contains(t.Verdicts(), v) })
	})
}

// mayAnswer reports whether a text where no answer is asked for has one, or the words of one.
func mayAnswer(text string, trips ...seal.TripKey) bool {
	return isVerdict(text, trips...) || isLoose(text)
}

// verdictsIn returns the answers in the parts of a text that are not the GUID of one of the trips.
func verdictsIn(text string, trips []seal.TripKey) (all []importer.Verdict) {
	for _, part := range splitByLeg(text) {
		v, guid, ok := importer.ParseVerdict(part)
		isOwn := func(t seal.TripKey) bool { return importer.SameGUID(t.GUID, part) && importer.SameGUID(guid, part) }
		if ok && !slices.ContainsFunc(trips, isOwn) {
			all = append(all, v)
		}
	}
	return all
}

// answersBeside returns which of the texts elsewhere in the row may be answers. If the row has an answer they are remarks, but where
// that one sends a trip and one of these does not, and, in results, in place of what they say of the row.
func (e *editedRow) answersBeside(typed []Answer) []Answer {
	said := verdictsIn(e.answer, nil)
	if len(said) == 0 {
		return typed
	}
	sends := slices.ContainsFunc(said, func(v importer.Verdict) bool { return !v.KeepsUnsent() })
	notes := []string{seal.ProblemHeader, seal.FixHeader, seal.NoticeHeader}
	return slices.DeleteFunc(typed, func(w Answer) bool {
		isNote := e.key.Source && slices.Contains(notes, w.At.Header)
		return !isNote && (!sends || !mayAnswer(w.Text))
	})
}

// splitByLeg splits an answer by legs: "outbound: not there; return: 5f0c…". The parts
// that name no leg are under OnlyLeg, and those that name both legs are under both, which makes them no answer.
func splitByLeg(answer string) map[importer.Leg]string {
	byLeg := map[importer.Leg]string{}
	for _, part := range strings.FieldsFunc(answer, func(r rune) bool { return r == '\n' || r == ';' || r == '\r' }) {
		part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "•"))
		texts := map[importer.Leg]string{importer.OnlyLeg: part}
		for _, l := range []importer.Leg{importer.OutboundLeg, importer.ReturnLeg} {
			prefix := l.String() + ":"
			switch at := strings.Index(strings.ToLower(part), prefix); {
			case at == 0:
				delete(texts, importer.OnlyLeg)
				texts[l] = strings.TrimSpace(part[len(prefix):])
			case at > 0:
				texts[l] = part
			}
		}
		for leg, text := range texts {
			if text = strings.TrimSpace(byLeg[leg] + " " + text); text != "" {
				byLeg[leg] = text
			}
		}
	}

	return byLeg
}
