package tables

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

const wordsOfBrokerSQL = "SELECT " + wordColumns + " FROM rows w WHERE w.broker = ?1 AND (w.day = '' OR w.day IN (listed(?2))) ORDER BY w.id"

// Arrivals returns the arrivals of the broker that have a scope on the day or later.
func (l *Ledger) Arrivals(ctx context.Context, broker string, from importer.Date) ([]importer.Arrival, error) {
	all, err := l.arrivals(ctx, l.Readers, from)
	return slices.DeleteFunc(all, func(a importer.Arrival) bool {
		ahead := slices.ContainsFunc(a.Scopes, func(s importer.Scope) bool { return s.Day.Compare(from) >= 0 })
		return a.Broker != broker || !ahead
	}), l.readError(ctx, err)
}

// Arrive records an arrival with what it says of its rows, in one transaction.
func (l *Ledger) Arrive(ctx context.Context, run string, of importer.Reading) (recorded importer.Arrival, err error) {
	if err := ctx.Err(); err != nil {
		return recorded, err
	}
	// The rows are hashed before the turn to write, so that others do not wait for it.
	words, err := l.proposed(&of, nil)
	if err != nil {
		return recorded, err
	}
	fixed, err := l.fixedBefore(ctx, words)
	if err == nil && len(fixed) > 0 {
		words, err = l.proposed(&of, fixed)
	}
	if err != nil {
		return recorded, l.readError(ctx, err)
	}
	err = l.Write(func(ctx context.Context, w *Writer) (err error) {
		recorded, err = l.arrive(ctx, w, run, &of, words)
		return err
	})
	return recorded, err
}

// A proposedWord is what an arrival says of a row that it has.
type proposedWord struct {
	key  importer.RowKey
	bare bool // Mapped.Bare
	word importer.Word
}

// at tells a row by its id and its day.
func (p *proposedWord) at() string { return p.word.ID + " " + p.word.Day.String() }

// fixedBefore returns, by proposedWord.at, the ids that rows of a schedule have in the ledger if a person gave
// them the ids that they have now. A schedule that still has the row without its id has another row.
func (l *Ledger) fixedBefore(ctx context.Context, words []proposedWord) (map[string]string, error) {
	rows, has := make([]soughtRow, len(words)), map[string]bool{}
	for i := range words {
		rows[i] = soughtRow{key: &words[i].key, id: words[i].word.ID}
		has[words[i].at()] = true
	}
	ids, err := l.fixedIDs(ctx, rows)
	fixed := map[string]string{}
	for i, id := range ids {
		p := words[i]
		if p.word.ID = id; !has[p.at()] {
			fixed[words[i].at()] = id
		}
	}
	return fixed, err
}

// proposed returns what an arrival says of each of its rows, once for each. fixed are the ids of rows
// that they have by a person.
func (l *Ledger) proposed(of *importer.Reading, fixed map[string]string) ([]proposedWord, error) {
	var all []proposedWord
	index := map[string]int{}
	for m, err := range of.Rows {
		if err != nil {
			return nil, err
		}
		p := proposedWord{key: m.Key, bare: m.Bare(), word: importer.Word{ID: l.Hashes.Row(&m.Key), Broker: of.Broker, Day: m.Key.Date, Says: m.Says()}}
		p.word.ID = cmp.Or(fixed[p.at()], p.word.ID)
		id := p.word.ID
		p.word.Pair = m.Pair()
		p.word.Legs = legsOf(m, func(t *importer.Trip) importer.Values { return l.Hashes.Values(id, &m.Row, t) })
		p.word.Digest = l.Hashes.Digest(id, p.word.Says, p.word.Pair, p.word.Legs)
		if i, twice := index[p.at()]; twice { // two rows with one id: a live one holds against a cancelled one
			if all[i].word.Says != importer.SaysLive {
				all[i] = p
			}
			continue
		}
		index[p.at()] = len(all)
		all = append(all, p)
	}
	return all, nil
}

// arrive is Arrive within its transaction.
func (l *Ledger) arrive(ctx context.Context, w *Writer, run string, of *importer.Reading, words []proposedWord) (recorded importer.Arrival, err error) {
	num, err := w.openRun(ctx, run)
	if err != nil {
		return recorded, err
	}
	days := of.Days()
	first := append(days, importer.Date{})[0] // zero if the file has no day
	known, err := l.arrivals(ctx, w, first)
	if err != nil {
		return recorded, err
	}
	r := &arriving{Ledger: l, w: w, run: num, known: &importer.Known{Arrivals: known}, byID: map[string][]importer.Word{}, said: importer.Proposals{}, present: map[int64]bool{}, again: map[int64]bool{}}
	before := w.LastEvent
	if err := r.recordIn(ctx, of.Arrival); err != nil {
		return recorded, err
	}
	if err := r.read(ctx, of.Broker, days, words); err != nil {
		return recorded, err
	}
	if of.Proof && r.a.Number <= before {
		words = nil
	}
	for _, p := range words {
		r.said.Add(p.word.ID, &p.key, importer.Proposal{Says: p.word.Says})
	}
	for n := range words {
		if p := &words[n]; !r.hasLive(p.word.Says, &p.word) {
			r.say(ctx, p)
		}
	}
	r.leaveGone(ctx)
	return r.a, r.become(ctx, of)
}

// recordIn records the arrival, and adds a new one to its run.
func (r *arriving) recordIn(ctx context.Context, a importer.Arrival) error {
	var all []importer.Arrival
	last, err := QueryOne(ctx, r.w, func(row Scanner) (last string, err error) {
		err = row.Scan(sealedColumn(r.Hashes, jsonColumn(&all)), &last)
		return last, err
	}, "SELECT arrivals, last_day FROM runs WHERE num = ?", r.run)
	before := r.w.LastEvent
	if r.a = r.record(ctx, a); r.a.Number <= before || err != nil {
		return err
	}
	for _, day := range a.Days() {
		last = max(last, day.String())
	}
	r.w.put(ctx, "UPDATE runs SET arrivals = ?, last_day = ? WHERE num = ?", r.Hashes.Encrypt(marshal(append(all, r.a))), last, r.run)
	return nil
}

// record gives an arrival its number, or returns the arrival of which it is another reading.
func (r *arriving) record(ctx context.Context, a importer.Arrival) importer.Arrival {
	for i := range r.known.Arrivals {
		b := &r.known.Arrivals[i]
		newest := !slices.ContainsFunc(a.Scopes, func(s importer.Scope) bool {
			n := r.known.Newest(a.Broker, s.Day, s.Pair, false)
			return n == nil || n.Number != b.Number
		})
		if len(a.Scopes) > 0 && newest && a.SameReading(b) {
			again := *b
			again.Whole = b.Whole && a.Whole // what it does not have was gone when it was recorded
			return again
		}
	}
	a.Number = r.addEvent(ctx, r.w, event{at: a.Read, kind: "arrived", what: a.Input, run: r.run})
	return a
}

// An arriving is an arrival that is being recorded.
type arriving struct {
	*Ledger
	w     *Writer
	a     importer.Arrival
	run   int64
	known *importer.Known
	// byID are the rows of the broker on the arrival's days, those whose day could not be read, and those of
	// their ids on other days. present are the numbers of those that the arrival has, and again those of
	// them that had become another row. Rows behind firstRow are new.
	byID              map[string][]importer.Word
	said              importer.Proposals // what the file says, all together
	present, again    map[int64]bool
	firstRow, lastRow int64
}

// read reads the rows that the ledger has.
func (r *arriving) read(ctx context.Context, broker string, days []importer.Date, words []proposedWord) error {
	all, err := Query(ctx, r.w, r.scanWord, wordsOfBrokerSQL, broker, list(days))
	if err != nil {
		return err
	}
	for _, word := range all {
		r.byID[word.ID] = append(r.byID[word.ID], word)
	}
	var ids []string
	for i := range words { // an id that is used once may be known of another day, as one whose day can't be read
		if p := &words[i]; (p.key.IDs == importer.UniqueIDs || p.key.Date.IsZero()) && len(r.byID[p.word.ID]) == 0 {
			ids = append(ids, p.word.ID)
		}
	}
	elsewhere, err := Query(ctx, r.w, r.scanWord, wordsOfKeysSQL, list(ids))
	for _, word := range elsewhere {
		r.byID[word.ID] = append(r.byID[word.ID], word)
	}
	if err == nil {
		r.firstRow, err = QueryOne(ctx, r.w, ScanOne[int64], "SELECT COALESCE(MAX(id), 0) FROM rows")
		r.lastRow = r.firstRow
	}
	return err
}

// say records what the arrival says of a row that it has.
func (r *arriving) say(ctx context.Context, p *proposedWord) {
	known := r.byID[p.word.ID]
	if p.word.Day.IsZero() { // it may be any of them
		for i := range known {
			r.present[known[i].Row] = true
		}
	}
	i := importer.PickWord(&p.key, 0, known)
	if i < 0 {
		r.add(ctx, p)
		return
	}
	word := known[i]
	r.present[word.Row], r.again[word.Row] = true, r.again[word.Row] || word.Became != 0
	whole := r.known.Dropped(&r.a, p.word.Day, p.word.Pair, p.word.Begins())
	switch {
	case r.hasLive(p.word.Says, &word) || word.Of().Newer(&r.a) || !r.known.SpeaksOf(&r.a, &word, p.word.Says, p.bare):
	case whole != nil && word.Says == importer.SaysGone && marshal(word.Legs) == marshal(p.word.Legs):
		r.touch(ctx, &word, whole)
	case whole != nil:
		r.leave(ctx, &word, p.word.Legs, whole)
	case word.Digest == p.word.Digest && word.Day == p.word.Day && word.Pair == p.word.Pair:
		r.touch(ctx, &word, &r.a)
	default:
		r.set(ctx, &word, p.word, &r.a)
	}
}

// hasLive reports whether the file has the row of a word live, and says something else of it too: live holds.
func (r *arriving) hasLive(says importer.Says, word *importer.Word) bool {
	said, _ := r.said.Of(word)
	return says != importer.SaysLive && said.Says == importer.SaysLive
}

// leave gives a row the word gone as of an arrival.
func (r *arriving) leave(ctx context.Context, word *importer.Word, legs []importer.LegWord, of *importer.Arrival) {
	r.set(ctx, word, importer.Word{Says: importer.SaysGone, Digest: r.Hashes.Digest(word.ID, importer.SaysGone, importer.Pair{}, nil), Legs: legs}, of)
}

// add adds a row that no arrival had so far. If a newer whole arrival of its scope does not have
// it, its word is gone as of that one.
func (r *arriving) add(ctx context.Context, p *proposedWord) {
	word := p.word
	r.lastRow++
	word.Row = r.lastRow
	r.present[word.Row] = true
	r.byID[word.ID] = append(r.byID[word.ID], word)
	if whole := r.known.Dropped(&r.a, word.Day, word.Pair, word.Begins()); whole != nil {
		r.leave(ctx, &word, nil, whole)
		return
	}
	r.set(ctx, &word, p.word, &r.a)
}

// touch writes that a newer arrival says the same of a row.
func (r *arriving) touch(ctx context.Context, word *importer.Word, of *importer.Arrival) {
	if word.Arrival != of.Number {
		r.keep(word, of)
		r.w.put(ctx, "UPDATE rows SET arrival = ?, stamp = ? WHERE id = ?", of.Number, instant(of.Stamp), word.Row)
	}
}

// keep keeps a word as it is written.
func (r *arriving) keep(word *importer.Word, of *importer.Arrival) {
	word.Arrival, word.Stamp = of.Number, of.Stamp
	all := r.byID[word.ID]
	all[slices.IndexFunc(all, func(w importer.Word) bool { return w.Row == word.Row })] = *word
}

// set has a word say something else as of an arrival.
func (r *arriving) set(ctx context.Context, word *importer.Word, says importer.Word, of *importer.Arrival) {
	event := r.addEvent(ctx, r.w, event{at: r.a.Read, kind: ledger.EventWord, what: says.Says.Code(), row: word.Row, run: r.run})
	changeWord(word, &says, event, of.Stamp)
	r.keep(word, of)
	r.saveWord(ctx, r.w, word)
}

// leaveGone gives the word gone to the rows that the arrival does not have and tells of.
func (r *arriving) leaveGone(ctx context.Context) {
	if !r.a.Whole {
		return
	}
	var gone []importer.Word
	for word := range r.words() {
		if word.Says == importer.SaysLive && !r.present[word.Row] && !word.Of().Newer(&r.a) && r.a.Tells(word.Day, word.Pair, word.Begins()) {
			gone = append(gone, *word)
		}
	}
	slices.SortFunc(gone, func(a, b importer.Word) int { return cmp.Compare(a.Row, b.Row) })
	for i := range gone {
		r.leave(ctx, &gone[i], nil, &r.a)
	}
}

// become finds what became of rows that the arrival does not want any more: what persons said of them, and say of them
// later, is said of the rows that they are now.
func (r *arriving) become(ctx context.Context, file *importer.Reading) error {
	earlier, added, err := r.changedRows(ctx)
	if err != nil || len(earlier) == 0 || len(added) == 0 {
		return err
	}
	var all []importer.Successor
	for m, err := range file.Rows {
		if err != nil {
			return err
		}
		id := r.Hashes.Row(&m.Key)
		is := added[addedRow{id, m.Key.Date, r.a.Number}]
		own := func(t *importer.Trip) importer.Own { return r.Hashes.Own("", id, t) }
		for _, of := range earlier {
			if is != nil && (of.Day == is.Day || of.Day.IsZero()) {
				values := func(t *importer.Trip) importer.Values { return r.Hashes.Values(of.ID, &m.Row, t) }
				all = append(all, importer.NewSuccessor(of, is, isWithoutID(of), m.Trips, values, own))
			}
		}
	}
	for _, is := range importer.Succeed(all) {
		r.saveWord(ctx, r.w, is)
	}
	for _, of := range earlier {
		if of.Became != 0 {
			r.leave(ctx, of, nil, &r.a)
		}
	}
	return nil
}

// An addedRow is what tells the rows of arrivals apart.
type addedRow struct {
	id      string
	day     importer.Date
	arrival int64
}

// changedRows returns the rows of which nothing was sent and that the arrival may not want any more, of very many only
// those of which persons said something, and the rows that it has for the first time, or again.
func (r *arriving) changedRows(ctx context.Context) (earlier []*importer.Word, added map[addedRow]*importer.Word, err error) {
	added = map[addedRow]*importer.Word{}
	var keys []int64
	for word := range r.words() {
		switch {
		case word.Row > r.firstRow || r.again[word.Row]:
			added[addedRow{word.ID, word.Day, word.Arrival}] = word
		case importer.MayBecome(word, isWithoutID(word), r.present[word.Row], &r.a):
			earlier, keys = append(earlier, word), append(keys, keyed.Number(word.ID))
		}
	}
	sent, err := Query(ctx, r.w, ScanOne[int64], "SELECT hash FROM keys WHERE hash IN (numbers(?1))", list(keys))
	slices.SortFunc(earlier, func(a, b *importer.Word) int { return cmp.Compare(a.Row, b.Row) })
	many := len(earlier)*len(added) > mostPairs
	return slices.DeleteFunc(earlier, func(w *importer.Word) bool {
		return slices.Contains(sent, keyed.Number(w.ID)) || many && len(importer.InDoubt(w.Answers)) == 0
	}), added, err
}

// words yields the rows that are known, in no order.
func (r *arriving) words() iter.Seq[*importer.Word] {
	return func(yield func(*importer.Word) bool) {
		for _, words := range r.byID {
			for i := range words {
				if !yield(&words[i]) {
					return
				}
			}
		}
	}
}

// mostPairs is how many pairs of an earlier and a new row are compared, which takes some seconds.
const mostPairs = 100_000

func isWithoutID(w *importer.Word) bool { return strings.HasSuffix(w.ID, keyed.WithoutID) }

// Schedule returns the last words of the broker's rows on the days, and of those with their ids that have a trip on one, each with
// its trips.
func (l *Ledger) Schedule(ctx context.Context, service, broker string, days []importer.Date) ([]importer.Known, error) {
	words, err := Query(ctx, l.Readers, l.scanWord, wordsOfBrokerSQL, broker, list(days))
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	keys := importer.Each(words, func(word importer.Word) int64 { return keyed.Number(word.ID) })
	all, err := Query(ctx, l.Readers, l.scanStanding, "SELECT "+standingColumns+" FROM keys k JOIN trips t ON t.id = k.trip JOIN accounts a ON a.id = t.account WHERE k.hash IN (numbers(?1)) AND a.service = ?2 ORDER BY t.id", list(keys), service)
	there := map[int64]bool{}
	for _, word := range words {
		there[word.Row] = true
	}
	trips := map[int64][]importer.Standing{}
	var elsewhere []int64 // the rows of other days of which a person gave a trip one of these
	for _, s := range all {
		trips[s.Row] = append(trips[s.Row], s)
		if !there[s.Row] && slices.Contains(days, s.Day) {
			elsewhere = append(elsewhere, s.Row)
		}
	}
	if err == nil && len(elsewhere) > 0 {
		var more []importer.Word
		more, err = Query(ctx, l.Readers, l.scanWord, wordsSQL, list([]string{}), list(elsewhere))
		words = append(words, more...)
	}
	same := map[string][]importer.Word{}
	for _, word := range words {
		same[word.ID] = append(same[word.ID], word)
	}
	return importer.Each(words, func(word importer.Word) importer.Known {
		return importer.Known{ID: word.ID, Row: word.Row, Words: slices.Clone(same[word.ID]), Trips: trips[word.Row]}
	}), l.readError(ctx, err)
}
