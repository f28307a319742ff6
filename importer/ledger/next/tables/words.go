package tables

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger/next/keyed"
)

const (
	wordColumns = `SELECT r.num, r.id, r.broker, r.day, r.pair, r.arrival, r.says, r.legs, r.hidden, r.version, r.event,
		r.digest, r.earlier, r.answers FROM rows r `
	wordsOfKeysSQL = wordColumns + "WHERE r.key IN (listed(?1)) ORDER BY r.num"
	wordsOfRowsSQL = wordColumns + "WHERE r.num IN (listed(?1)) ORDER BY r.num"
	addRowSQL      = `INSERT INTO rows (num, key, id, broker, day, pair, arrival, says, legs, hidden, version, digest, earlier, event)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	setWordSQL = `UPDATE rows SET day = ?, pair = ?, arrival = ?, says = ?, legs = ?, hidden = ?, version = ?, digest = ?,
		earlier = ?, event = ? WHERE num = ?`
	setAnswersSQL = "UPDATE rows SET answers = ?, event = ? WHERE num = ?"
)

// earlierKept is the number of earlier versions of a word whose digests are kept.
const earlierKept = 8

// A word is a row with its last word, as it is stored. Its broker and pair are numbers of
// names, and its stamp is that of its arrival.
type word struct {
	importer.Word
	broker, pair int64
	hidden       []byte
}

// none reports that no arrival had the row: a trip of it was booked without a word.
func (w *word) none() bool { return w.Arrival == 0 }

func (l *Ledger) scanWord(row Scanner) (w word, err error) {
	var id, legs, earlier, answers []byte
	var says string
	var digest int64
	err = row.Scan(&w.Row, &id, &w.broker, dayColumn(&w.Day), &w.pair, &w.Arrival, &says, &legs, &w.hidden, &w.Version, &w.Event,
		&digest, &earlier, &answers)
	if err != nil {
		return w, err
	}
	w.ID, w.Digest = keyed.RowID(id), uint64(digest) //nolint:gosec // the bits stay the same
	w.Says, _ = importer.ParseSays(says)             // empty if there is no word
	for ; len(earlier) >= 8; earlier = earlier[8:] {
		w.Earlier = append(w.Earlier, binary.BigEndian.Uint64(earlier))
	}
	if w.Legs, err = parseLegs(legs); err != nil {
		return w, err
	}
	w.Answers, err = l.openAnswers(answers)
	return w, err
}

// readWords returns the words that a query finds.
func (l *Ledger) readWords(ctx context.Context, q Querier, seen seenArrivals, text string, args ...any) ([]word, error) {
	words, err := Query(ctx, q, l.scanWord, text, args...)
	for i := range words {
		w := &words[i]
		w.Stamp = seen.of(w.Arrival).Stamp
		broker, brokerErr := l.nameText(ctx, q, w.broker)
		pair, pairErr := l.nameText(ctx, q, w.pair)
		w.Broker, w.Pair = broker, parsePair(pair)
		err = errors.Join(err, brokerErr, pairErr)
	}
	return words, err
}

// pickWord returns the stored row of a key among words with its id, or nil.
func pickWord(key *importer.RowKey, words []word) *word {
	plain := make([]importer.Word, len(words))
	for i := range words {
		plain[i] = words[i].Word
	}
	i := importer.PickWord(key, plain)
	if i < 0 {
		return nil
	}
	return &words[i]
}

// addRow adds a row, whose number is w.Event.
func (w *Writer) addRow(ctx context.Context, row keyed.Row, word *word) error {
	return w.Later(ctx, addRowSQL, word.Row, row.Number, row.Stored(), word.broker, word.Day.String(), word.pair, word.Arrival,
		word.Says.Code(), appendLegs(nil, word.Legs), word.hidden, word.Version, int64(word.Digest), appendDigests(word.Earlier), word.Event) //nolint:gosec // the bits stay the same
}

// setWord writes the word of a row.
func (w *Writer) setWord(ctx context.Context, word *word) error {
	return w.Later(ctx, setWordSQL, word.Day.String(), word.pair, word.Arrival, word.Says.Code(), appendLegs(nil, word.Legs), word.hidden,
		word.Version, int64(word.Digest), appendDigests(word.Earlier), word.Event, word.Row) //nolint:gosec // the bits stay the same
}

func appendDigests(digests []uint64) []byte {
	var stored []byte
	for _, d := range digests {
		stored = binary.BigEndian.AppendUint64(stored, d)
	}
	return stored
}

// appendLegs appends the stored form of legs: for each its code, when it begins, and its
// values, each with its length.
func appendLegs(dst []byte, legs []importer.LegWord) []byte {
	if dst == nil {
		dst = []byte{}
	}
	for i := range legs {
		l := &legs[i]
		dst = appendPart(dst, l.Leg.Code())
		dst = appendPart(dst, l.Begins.String())
		dst = appendPart(dst, string(l.Values.Append(nil)))
	}
	return dst
}

func parseLegs(stored []byte) (legs []importer.LegWord, err error) {
	for len(stored) > 0 && err == nil {
		var code, begins, values string
		code, stored = cutPart(stored)
		begins, stored = cutPart(stored)
		values, stored = cutPart(stored)
		leg, known := importer.ParseLeg(code)
		if !known {
			return nil, errors.New("the ledger has a row that is damaged")
		}
		l := importer.LegWord{Leg: leg}
		if l.Begins, err = parseDateTime(begins); err == nil {
			l.Values, err = importer.ParseValues([]byte(values))
		}
		legs = append(legs, l)
	}
	return legs, err
}

func appendPart(dst []byte, part string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(part))), part...)
}

// cutPart is the inverse of appendPart. It returns nothing of what is damaged.
func cutPart(stored []byte) (part string, rest []byte) {
	n, width := binary.Uvarint(stored)
	if width <= 0 || n > uint64(len(stored)-width) {
		return "", nil
	}
	return string(stored[width : width+int(n)]), stored[width+int(n):] //nolint:gosec // n is not greater than the length
}

// sealHidden returns the sealed form of the subjects of keyed.Hashes.Meant, one for each
// leg.
func (l *Ledger) sealHidden(meant []int64) []byte {
	var plain []byte
	for _, m := range meant {
		plain = binary.BigEndian.AppendUint64(plain, uint64(m)) //nolint:gosec // the bits stay the same
	}
	return l.Hashes.Seal(string(plain))
}

// meantOf returns the subject of the word's leg, or 0.
func (l *Ledger) meantOf(w *word, leg importer.Leg) (int64, error) {
	plain, err := l.Hashes.Open(w.hidden)
	for i := range w.Legs {
		if w.Legs[i].Leg == leg && len(plain) >= 8*(i+1) {
			return int64(binary.BigEndian.Uint64([]byte(plain[8*i:]))), err //nolint:gosec // the bits stay the same
		}
	}
	return 0, err
}

func (l *Ledger) sealAnswers(answers []importer.RowAnswer) ([]byte, error) {
	text, err := json.Marshal(answers)
	return l.Hashes.Seal(string(text)), err
}

func (l *Ledger) openAnswers(sealed []byte) (answers []importer.RowAnswer, err error) {
	if len(sealed) == 0 {
		return nil, nil
	}
	text, err := l.Hashes.Open(sealed)
	if err == nil {
		err = json.Unmarshal([]byte(text), &answers)
	}
	return answers, err
}
