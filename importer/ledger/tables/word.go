package tables

import (
	"strings"
	"time"

	"tripimport/importer"
)

// wordColumns are the columns of a row's last word, for scanWord.
const wordColumns = "w.id, w.key, w.broker, w.day, w.pair, w.arrival, w.stamp, w.says, w.legs, w.said, w.event, w.digest, w.off, w.earlier, w.answers"

// keptVersions is how many earlier versions of a word are kept: as many as a broker sends
// schedules for one day, and a few more.
const keptVersions = 12

// scanWord scans wordColumns.
func (l *Ledger) scanWord(row Scanner) (w importer.Word, err error) {
	var pair string
	var digest int64
	err = row.Scan(&w.Row, &w.ID, &w.Broker, textColumn(&w.Day), sealedColumn(l.Hashes, rawColumn(&pair)), &w.Arrival, instantColumn(&w.Stamp), textColumn(&w.Says),
		jsonColumn(&w.Legs), &w.Said, &w.Event, &digest, jsonColumn(&w.Off), sealedColumn(l.Hashes, jsonColumn(&w.Earlier)), sealedColumn(l.Hashes, jsonColumn(&w.Answers)))
	if err != nil {
		return w, err
	}
	w.Digest = uint64(digest) //nolint:gosec // the bits are kept
	w.Pair.Provider, w.Pair.FundingSource, _ = strings.Cut(pair, "\n")
	return w, nil
}

// storedLegs returns the stored form of a word's trips, and storedEarlier that of its earlier versions,
// encrypted: NULL for none.
func storedLegs(legs []importer.LegWord) any {
	if len(legs) == 0 {
		return nil
	}
	return []byte(marshal(legs))
}

func (l *Ledger) storedEarlier(all []importer.WordVersion) any {
	if len(all) == 0 {
		return nil
	}
	return l.Hashes.Encrypt(marshal(all))
}

// storedOff returns the stored form of a version that was not live; empty for none.
func storedOff(off *importer.OffWord) string {
	if off == nil {
		return ""
	}
	return marshal(off)
}

// pairText returns the stored form of a canonical pair.
func pairText(p importer.Pair) string {
	p = p.Canonical()
	return p.Provider + "\n" + p.FundingSource
}

// change makes the word say something else: it gets a new version, and keeps the old one.
func changeWord(w *importer.Word, says importer.Says, digest uint64, legs []importer.LegWord, event int64, stamp time.Time) {
	if w.Said > 0 {
		w.Earlier = append([]importer.WordVersion{{Said: w.Said, Digest: w.Digest, Pair: w.Pair, Legs: w.Legs}}, w.Earlier...)
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
