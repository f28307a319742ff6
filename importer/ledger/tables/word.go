package tables

import (
	"cmp"
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
func (l *Ledger) scanWord(row Scanner) (importer.Word, error) { return l.scanWordWith(row) }

// scanWordWith scans wordColumns, and more behind them.
func (l *Ledger) scanWordWith(row Scanner, more ...any) (importer.Word, error) {
	var stored storedWord
	w := &stored.Word
	columns := []any{&w.Row, &w.ID, &w.Broker, textColumn(&w.Day), &w.Arrival, instantColumn(&w.Stamp), &w.Event, sealedColumn(l.Hashes, jsonColumn(&stored))}
	err := row.Scan(append(columns, more...)...)
	return *w, err
}

// saveWord writes a word.
func (l *Ledger) saveWord(ctx context.Context, w *Writer, word *importer.Word) {
	w.put(ctx, saveWordSQL, word.Row, word.ID, word.Broker, word.Day.String(), word.Arrival, instant(word.Stamp), word.Event,
		l.Hashes.Encrypt(marshal(storedWord{Word: *word})))
}

// changeWord makes the word say what another one says: it gets a new version, and keeps the old one.
func changeWord(w, now *importer.Word, event int64, stamp time.Time) {
	if w.Said > 0 {
		w.Earlier = append([]importer.WordVersion{{Said: w.Said, Digest: w.Digest, Pair: w.Pair, Legs: w.Legs}}, w.Earlier...)
		w.Earlier = w.Earlier[:min(len(w.Earlier), keptVersions)]
	}
	w.Says, w.Digest, w.Said, w.Event = now.Says, now.Digest, event, event
	w.Day, w.Pair = cmp.Or(now.Day, w.Day), cmp.Or(now.Pair, w.Pair)
	if len(now.Legs) > 0 {
		w.Legs = now.Legs
	}
	if w.Says == importer.SaysLive {
		w.Became = 0
	} else {
		w.Off = &importer.OffWord{Says: w.Says, Stamp: stamp, Event: event}
	}
}
