package tables

import (
	"context"
	"time"

	"tripimport/importer"
)

const (
	// wordColumns are the columns of a row's last word, for scanWord.
	wordColumns = "w.id, w.key, w.broker, w.day, w.arrival, w.stamp, w.event, w.word"
	saveWordSQL = `INSERT INTO rows (id, key, broker, day, arrival, stamp, event, word) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET day = excluded.day, arrival = excluded.arrival, stamp = excluded.stamp, event = excluded.event, word = excluded.word`
)

// keptVersions is how many earlier versions of a word are kept: as many as a broker sends
// schedules for one day, and a few more.
const keptVersions = 12

// A storedWord is what is encrypted of a word: all but what is in columns.
type storedWord struct {
	importer.Word

	Row, ID, Broker, Day, Arrival, Stamp, Event struct{} `json:",omitzero"`
}

// scanWord scans wordColumns.
func (l *Ledger) scanWord(row Scanner) (importer.Word, error) {
	var stored storedWord
	w := &stored.Word
	err := row.Scan(&w.Row, &w.ID, &w.Broker, textColumn(&w.Day), &w.Arrival, instantColumn(&w.Stamp), &w.Event, sealedColumn(l.Hashes, jsonColumn(&stored)))
	return *w, err
}

// saveWord writes a word.
func (l *Ledger) saveWord(ctx context.Context, w *Writer, word *importer.Word) error {
	return w.Exec(ctx, saveWordSQL, word.Row, word.ID, word.Broker, word.Day.String(), word.Arrival, instant(word.Stamp), word.Event,
		l.Hashes.Encrypt(marshal(storedWord{Word: *word})))
}

// changeWord makes the word say something else: it gets a new version, and keeps the old one.
func changeWord(w *importer.Word, says importer.Says, digest uint64, legs []importer.LegWord, event int64, stamp time.Time) {
	if w.Said > 0 {
		w.Earlier = append([]importer.WordVersion{{Said: w.Said, Digest: w.Digest, Pair: w.Pair, Legs: w.Legs}}, w.Earlier...)
		w.Earlier = w.Earlier[:min(len(w.Earlier), keptVersions)]
	}
	w.Says, w.Digest, w.Said, w.Event = says, digest, event, event
	if len(legs) > 0 {
		w.Legs = legs
	}
	if says == importer.SaysLive {
		w.Became = 0
	} else {
		w.Off = &importer.OffWord{Says: says, Stamp: stamp, Event: event}
	}
}
