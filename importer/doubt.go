package importer

import (
	"slices"
	"time"
)

// A Doubt is why what people said of a trip does not count: two answers about the same state
// contradict each other, or what somebody wrote can't be taken. The trip waits until a person
// answers about that.
type Doubt struct {
	// Sides are the answers that contradict each other, the newest last. Late reports that the newest
	// was given before the trip was sent, and read after that.
	Sides []Side `json:"sides,omitempty"`
	Late  bool   `json:"late,omitempty"`
	// Note is what Who wrote at Where that can't be taken, and In the file of that place. Whoever
	// corrects it there answers about the state that the file shows.
	Note  string `json:"note,omitempty"`
	Who   string `json:"who,omitempty"`
	Where string `json:"where,omitempty"`
	In    string `json:"in,omitempty"`
}

// The Notes of what nobody wrote of the trip: somebody may have written it in a file that can't be read, the trip is in a list from
// which people phone what was not sent, somebody may have answered after the copy of the ledger was made, it was said
// of another row that may be the one, or another trip has the GUID that was given.
const (
	UnreadableFile = "the file can't be read"
	PrintedToPhone = "printed to be phoned"
	AfterCopy      = "after the copy"
	OfEarlierRow   = "of an earlier row"
	OneGUID        = "one GUID for two trips"
)

// A Side is an answer that is in doubt. Who is empty if nobody was named.
type Side struct {
	Who     string    `json:"who,omitempty"`
	Verdict Verdict   `json:"verdict"`
	GUID    string    `json:"guid,omitempty"`
	At      time.Time `json:"at"`
}

// IsZero reports whether there is no doubt.
func (d Doubt) IsZero() bool { return len(d.Sides) == 0 && d.In == "" && d.Note == "" }

// Has reports whether a person gave one of the two answers, and is not answering about the doubt.
func (d Doubt) Has(who string, v Verdict) bool {
	return slices.ContainsFunc(d.Sides, func(s Side) bool { return s.Who == who && s.Verdict == v })
}

// SameText reports whether two doubts are about the same text at the same place.
func (d Doubt) SameText(other Doubt) bool {
	return d.In != "" && d.Note == other.Note && d.Who == other.Who && d.Where == other.Where
}
