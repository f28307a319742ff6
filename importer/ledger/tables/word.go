package tables

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"tripimport/importer"
)

// wordColumns are the columns of a row's last word, for scanWord.
const wordColumns = "w.id, w.key, w.broker, w.day, w.pair, w.arrival, w.stamp, w.says, w.legs, w.said, w.event, w.digest, w.off, w.earlier, w.answers"

// keptVersions is how many earlier versions of a word are kept: as many as a broker sends
// schedules for one day, and a few more.
const keptVersions = 12

// A storedLeg is what a word says of a trip.
type storedLeg struct {
	Leg    string `json:"l"`
	Begins string `json:"b,omitempty"`
	Values []byte `json:"v"`
}

// A storedVersion is an earlier version of a word.
type storedVersion struct {
	Said   int64       `json:"s"`
	Digest uint64      `json:"d"`
	Legs   []storedLeg `json:"l"`
}

// A storedOff is a version that was not live.
type storedOff struct {
	Says  string `json:"says"`
	Stamp string `json:"stamp"`
	Event int64  `json:"event"`
}

// A storedRowAnswer is a person's answer about a leg of a row.
type storedRowAnswer struct {
	Leg     string `json:"leg"`
	Day     string `json:"day,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Pickup  string `json:"pickup,omitempty"`
	Dropoff string `json:"dropoff,omitempty"`
	GUID    string `json:"guid,omitempty"`
	Other   int64  `json:"other,omitempty"`
	Event   int64  `json:"event"`
	Who     string `json:"who"`
	At      string `json:"at"`
}

// scanWord scans wordColumns.
func (l *Ledger) scanWord(row Scanner) (w importer.Word, err error) {
	var pair string
	var digest int64
	var off *storedOff
	var legs []storedLeg
	var earlier []storedVersion
	var answers string
	err = row.Scan(&w.Row, &w.ID, &w.Broker, dayColumn(&w.Day), l.sealedColumn(&pair), &w.Arrival, instantColumn(&w.Stamp), codeColumn(&w.Says, importer.ParseSays),
		jsonColumn(&legs), &w.Said, &w.Event, &digest, jsonColumn(&off), jsonColumn(&earlier), l.sealedColumn(&answers))
	if err != nil {
		return w, err
	}

	w.Digest = uint64(digest) //nolint:gosec // the bits are kept
	w.Pair.Provider, w.Pair.FundingSource, _ = strings.Cut(pair, "\n")
	if w.Legs, err = readLegs(legs); err != nil {
		return w, err
	}
	for _, v := range earlier {
		legs, err := readLegs(v.Legs)
		if err != nil {
			return w, err
		}
		w.Earlier = append(w.Earlier, importer.WordVersion{Said: v.Said, Digest: v.Digest, Legs: legs})
	}
	if off != nil {
		says, _ := importer.ParseSays(off.Says)
		stamp, err := parseInstant(off.Stamp)
		if err != nil {
			return w, err
		}
		w.Off = &importer.OffWord{Says: says, Stamp: stamp, Event: off.Event}
	}
	w.Answers, err = readAnswers(answers)
	return w, err
}

func readLegs(stored []storedLeg) ([]importer.LegWord, error) {
	legs := make([]importer.LegWord, 0, len(stored))
	for _, s := range stored {
		leg, _ := importer.ParseLeg(s.Leg)
		begins, err := parseDateTime(s.Begins)
		if err != nil {
			return nil, err
		}
		values, err := importer.ParseValues(s.Values)
		if err != nil {
			return nil, err
		}
		legs = append(legs, importer.LegWord{Leg: leg, Begins: begins, Values: values})
	}
	return legs, nil
}

func storedLegs(legs []importer.LegWord) []storedLeg {
	stored := make([]storedLeg, 0, len(legs))
	for i := range legs {
		stored = append(stored, storedLeg{legs[i].Leg.Code(), legs[i].Begins.String(), legs[i].Values.Append(nil)})
	}
	return stored
}

func storedVersions(versions []importer.WordVersion) []byte {
	if len(versions) == 0 {
		return nil
	}
	stored := make([]storedVersion, 0, len(versions))
	for _, v := range versions {
		stored = append(stored, storedVersion{v.Said, v.Digest, storedLegs(v.Legs)})
	}
	return []byte(marshal(stored))
}

func storedOffWord(off *importer.OffWord) string {
	if off == nil {
		return ""
	}
	return marshal(storedOff{off.Says.Code(), instant(off.Stamp), off.Event})
}

func readAnswers(text string) ([]importer.RowAnswer, error) {
	if text == "" {
		return nil, nil
	}
	var stored []storedRowAnswer
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return nil, err
	}
	answers := make([]importer.RowAnswer, 0, len(stored))
	for _, s := range stored {
		leg, _ := importer.ParseLeg(s.Leg)
		day, dayErr := parseDay(s.Day)
		at, atErr := parseInstant(s.At)
		if err := cmp.Or(dayErr, atErr); err != nil {
			return nil, err
		}
		verdict, _, _ := importer.ParseVerdict(s.Verdict)
		answers = append(answers, importer.RowAnswer{
			Leg: leg, Day: day, Verdict: verdict, Pickup: s.Pickup, Dropoff: s.Dropoff, GUID: s.GUID, Other: s.Other, Event: s.Event, Who: s.Who, At: at,
		})
	}
	return answers, nil
}

func storedAnswers(answers []importer.RowAnswer) string {
	stored := make([]storedRowAnswer, 0, len(answers))
	for _, a := range answers {
		stored = append(stored, storedRowAnswer{
			Leg: a.Leg.Code(), Day: a.Day.String(), Verdict: a.Verdict.String(), Pickup: a.Pickup, Dropoff: a.Dropoff,
			GUID: a.GUID, Other: a.Other, Event: a.Event, Who: a.Who, At: instant(a.At),
		})
	}
	return marshal(stored)
}

// sealedColumn scans an encrypted text.
func (l *Ledger) sealedColumn(to *string) column[string] {
	return column[string]{to, func(s string) (string, error) { return l.Hashes.Decrypt([]byte(s)) }}
}

// pairText returns the stored form of a canonical pair.
func pairText(p importer.Pair) string {
	p = p.Canonical()
	return p.Provider + "\n" + p.FundingSource
}

// change makes the word say something else: it gets a new version, and keeps the old one.
func changeWord(w *importer.Word, says importer.Says, digest uint64, legs []importer.LegWord, event int64, stamp time.Time) {
	if w.Said > 0 {
		w.Earlier = append([]importer.WordVersion{{Said: w.Said, Digest: w.Digest, Legs: w.Legs}}, w.Earlier...)
		w.Earlier = w.Earlier[:min(len(w.Earlier), keptVersions)]
	}
	w.Says, w.Digest, w.Said, w.Event = says, digest, event, event
	if len(legs) > 0 {
		w.Legs = legs
	}
	if says != importer.SaysLive {
		w.Off = &importer.OffWord{Says: says, Stamp: stamp, Event: event}
	}
}
