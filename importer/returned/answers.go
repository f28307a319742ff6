package returned

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// An Answer is what a person wrote under What we found about a trip that may
// be booked, or that is booked without its GUID being known.
type Answer struct {
	// At is the cell in the results file.
	At importer.Ref
	// Input is the SHA-256 of the row's file, Sheet the name of its sheet, empty for
	// CSV, and Row the row's number there.
	Input, Sheet string
	Row          int
	Leg          importer.Leg
	// State is the trip's as the results have it: Unknown, or Created and
	// AlreadyCreated where the GUID is missing.
	State   importer.State
	Verdict importer.Verdict
	// GUID is the trip's, where the answer gives it.
	GUID string
	// Text is the answer as it was written.
	Text string
}

// answersOf reads the answers about the row's trips.
func answersOf(e *editedRow, in *seal.ShownInput) []Answer {
	if strings.TrimSpace(e.answer) == "" {
		return nil
	}
	open := e.openTrips()
	byLeg := splitByLeg(e.answer)
	var answers []Answer
	for _, t := range open {
		text, legNamed := byLeg[t.Leg]
		if !legNamed {
			text = byLeg[importer.OnlyLeg]
		}
		if text == "" {
			continue
		}
		a := Answer{At: e.answerAt, Input: in.Hash, Sheet: in.Sheet, Row: e.key.Row, Leg: t.Leg, State: t.State, Text: text}
		a.Verdict, a.GUID, _ = importer.ParseVerdict(text)
		if !legNamed && len(open) > 1 && a.GUID != "" {
			// One GUID was given for two legs, without saying for which.
			a.Verdict, a.GUID = importer.NoVerdict, ""
		}
		answers = append(answers, a)
	}

	return answers
}

// openTrips returns the trips about which there is a question.
func (e *editedRow) openTrips() []seal.TripKey {
	var open []seal.TripKey
	for _, t := range e.key.Trips {
		if t.State == importer.Unknown || t.GUIDMissing {
			open = append(open, t)
		}
	}
	return open
}

// misplacedAnswer says why the row's answer can't be meant for it: nobody asked,
// or the status beside it is another row's. A column of answers that was sorted
// alone would settle the wrong trips. A remark that is no answer may stand
// anywhere.
func (e *editedRow) misplacedAnswer() string {
	if strings.TrimSpace(e.answer) == "" {
		return ""
	}
	if len(e.openTrips()) == 0 {
		for _, text := range splitByLeg(e.answer) {
			if v, _, _ := importer.ParseVerdict(text); v != importer.NoVerdict && v != importer.RiderIsRight {
				return "there is an answer beside a trip that nobody asked about"
			}
		}
		return ""
	}

	worst := e.key.Trips[0].State
	for _, t := range e.key.Trips {
		if t.State.Worse(worst) {
			worst = t.State
		}
	}

	status := strings.TrimPrefix(strings.TrimSpace(e.status), seal.HalfBookedPrefix)
	for s := range importer.State(importer.StateCount) {
		if status == s.String() && s != worst {
			return "the status beside the answer is another row's"
		}
	}

	return ""
}

// splitByLeg takes an answer apart by leg: "outbound: not there; return: 5f0c…".
// What names no leg is under OnlyLeg.
func splitByLeg(answer string) map[importer.Leg]string {
	byLeg := map[importer.Leg]string{}
	for _, part := range strings.FieldsFunc(answer, func(r rune) bool { return r == '\n' || r == ';' || r == '\r' }) {
		part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "•"))
		leg := importer.OnlyLeg
		for _, l := range []importer.Leg{importer.OutboundLeg, importer.ReturnLeg, importer.ThirdLeg} {
			prefix := l.String() + ":"
			if len(part) >= len(prefix) && strings.EqualFold(part[:len(prefix)], prefix) {
				leg, part = l, strings.TrimSpace(part[len(prefix):])
			}
		}
		byLeg[leg] = strings.TrimSpace(byLeg[leg] + " " + part)
	}

	return byLeg
}
