package returned

import (
	"regexp"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Finding is what a person found out about a trip.
type Finding uint8

const (
	// Unclear: the answer can't be read. The trip stays as it is.
	Unclear Finding = iota
	// Booked: the trip is in the dispatch system.
	Booked
	// NotThere: it is not, and may be sent.
	NotThere
)

// An Answer is what a person wrote under What we found about a trip that may
// be booked, or that is booked without its GUID being known.
type Answer struct {
	// At is the cell in the results file.
	At importer.Ref
	// Input is the SHA-256 of the row's file, Row the row's number there.
	Input string
	Row   int
	Leg   importer.Leg
	// State is the trip's as the results have it: Unknown, or Created and
	// AlreadyCreated where the GUID is missing.
	State   importer.State
	Finding Finding
	// GUID is the trip's, where the answer gives it.
	GUID string
	// Text is the answer as it was written.
	Text string
}

// answersOf reads the answers about the row's trips.
func answersOf(f *editedRow, in *seal.ShownInput) []Answer {
	if strings.TrimSpace(f.answer) == "" {
		return nil
	}
	open := f.open()
	said := sayings(f.answer)
	var answers []Answer
	for _, l := range open {
		a := Answer{At: f.answerAt, Input: in.Hash, Row: f.key.Row, Leg: l.Leg, State: l.State}
		own, named := said[l.Leg]
		if !named {
			own = said[importer.OnlyLeg]
		}
		if own == "" {
			continue
		}
		a.Text = own
		a.Finding, a.GUID = findingIn(own)
		if !named && len(open) > 1 && a.GUID != "" {
			// One GUID for two legs: which of them is meant is not said.
			a.Finding, a.GUID = Unclear, ""
		}
		answers = append(answers, a)
	}
	return answers
}

// open gives the legs about which there is a question.
func (f *editedRow) open() []seal.LegState {
	var open []seal.LegState
	for _, l := range f.key.Legs {
		if l.State == importer.Unknown || l.GUIDMissing {
			open = append(open, l)
		}
	}
	return open
}

// misplaced says why the row's answer can't be meant for it: nobody asked, or
// the status beside it is another's. A column of answers that was sorted alone
// would settle the wrong trips. A remark that is no answer may stand anywhere.
func (f *editedRow) misplaced() string {
	if strings.TrimSpace(f.answer) == "" {
		return ""
	}
	if len(f.open()) == 0 {
		for _, said := range sayings(f.answer) {
			if finding, _ := findingIn(said); finding != Unclear {
				return "there is an answer beside a trip that nobody asked about"
			}
		}
		return ""
	}
	worst := f.key.Legs[0].State
	for _, l := range f.key.Legs {
		if l.State.Worse(worst) {
			worst = l.State
		}
	}
	status := strings.TrimPrefix(strings.TrimSpace(f.status), seal.HalfBookedPrefix)
	for i := range importer.StateCount {
		if s := importer.State(i); status == s.String() && s != worst {
			return "the status beside the answer is another row's"
		}
	}
	return ""
}

// sayings takes an answer apart by leg: "outbound: not there; return: 5f0c…".
// What is said of no leg is under OnlyLeg.
func sayings(answer string) map[importer.Leg]string {
	said := map[importer.Leg]string{}
	for _, part := range strings.FieldsFunc(answer, func(r rune) bool { return r == '\n' || r == ';' || r == '\r' }) {
		part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "•"))
		leg := importer.OnlyLeg
		for _, l := range []importer.Leg{importer.OutboundLeg, importer.ReturnLeg, importer.ThirdLeg} {
			if rest, ok := cutPrefixFold(part, l.String()+":"); ok {
				leg, part = l, strings.TrimSpace(rest)
			}
		}
		said[leg] = strings.TrimSpace(said[leg] + " " + part)
	}
	return said
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

var (
	guidPattern     = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b`)
	notTherePattern = regexp.MustCompile(`(?i)^(no|none|not (there|booked|found|in( it)?|in the system)|isn'?t there|is not there|absent|missing)[.!]?$`)
	therePattern    = regexp.MustCompile(`(?i)^(yes|y|booked|there|it is there|found|is booked|it is booked)[.!]?$`)
)

// findingIn reads an answer. Anything that is not clearly one or the other is
// Unclear: a guess would be a second car or a passenger left standing.
func findingIn(text string) (Finding, string) {
	text = strings.Join(strings.Fields(text), " ")
	guids := guidPattern.FindAllString(text, -1)
	rest := strings.TrimSpace(strings.Trim(guidPattern.ReplaceAllString(text, ""), " :,.-"))
	switch {
	case len(guids) == 1 && (rest == "" || therePattern.MatchString(rest) || strings.EqualFold(rest, "guid")):
		return Booked, guids[0]
	case len(guids) == 0 && notTherePattern.MatchString(text):
		return NotThere, ""
	case len(guids) == 0 && therePattern.MatchString(text):
		return Booked, ""
	}
	return Unclear, ""
}
