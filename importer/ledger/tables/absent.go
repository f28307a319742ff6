package tables

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A question asks whether the ledger has something. Where there is no negative cache,
// most questions of a night are answered with no, at a fraction of what reading a record
// costs.
type question struct {
	sql   string    // its parameters are numbered, at most to 9
	args  [5]any    // numbers, texts and hashes; nil behind the last one
	marks [2]uint64 // of what is asked for, in the cache; zeros without one
}

// A hash is an argument of a question.
type hash string

const (
	// Each comparison is that of one index with all its columns: a database that has not
	// counted its rows yet may read all trips of an account otherwise.
	hasTripSQL     = "SELECT EXISTS (SELECT 1 FROM trips WHERE account = ?1 AND trip_id = ?2) OR EXISTS (SELECT 1 FROM trips WHERE account = ?1 AND trip_id = ?3)"
	hasRowSQL      = "SELECT EXISTS (SELECT 1 FROM trips WHERE row_key = ?1)"
	hasIdentitySQL = "SELECT EXISTS (SELECT 1 FROM identities WHERE day = ?1 AND identity = ?2)"
	// Of any service: a process may use one by several addresses.
	hasSourceSQL   = "SELECT EXISTS (SELECT 1 FROM trips WHERE input = ?1 AND row_num = ?2 AND leg = ?3 AND sheet = ?4 AND taken = 1)"
	hasDecisionSQL = "SELECT EXISTS (SELECT 1 FROM decisions WHERE id > ?1)"
	hasGUIDSQL     = "SELECT EXISTS (SELECT 1 FROM settlements WHERE guid_key = ?1) OR EXISTS (SELECT 1 FROM resolutions WHERE guid_key = ?1)"
)

// askTrip asks for a trip of an account, by its id in clear and hashed.
func (c *negativeCache) askTrip(account int64, id, hashed string) question {
	return question{hasTripSQL, [5]any{account, id, hashed}, [2]uint64{c.tripMark(account, id), c.tripMark(account, hashed)}}
}

// askRow asks for trips of a row.
func (c *negativeCache) askRow(row []byte) question {
	mark := c.identityMark(row)
	return question{hasRowSQL, [5]any{hash(row)}, [2]uint64{mark, mark}}
}

// askIdentity asks for trips of an identity that have times on a day.
func (c *negativeCache) askIdentity(day importer.Date, identity []byte) question {
	mark := c.identityMark(identity)
	return question{hasIdentitySQL, [5]any{day.String(), hash(identity)}, [2]uint64{mark, mark}}
}

// askGUID asks for a trip that has a GUID, or was once said to have it. There is none
// without one.
func askGUID(g storedGUID) question {
	key, _ := g.key.(string)
	return question{sql: hasGUIDSQL, args: [5]any{key}}
}

// arguments gives the arguments in the form that a database takes.
func (q *question) arguments() []any {
	var args []any
	for _, a := range q.args {
		switch a := a.(type) {
		case nil:
			return args
		case hash:
			args = append(args, []byte(a))
		default:
			args = append(args, a)
		}
	}
	return args
}

// mayHave reports of each question whether the ledger may have what it asks for: from
// memory, or from one statement.
func (l *Ledger) mayHave(ctx context.Context, from Querier, questions ...question) ([]bool, error) {
	has := make([]bool, len(questions))
	if l.cache != nil {
		for i, q := range questions {
			has[i] = q.marks == [2]uint64{} || !l.cache.lacks(q.marks)
		}
		return has, nil
	}

	w, _ := from.(*Writer)
	known := func(q question) bool { return w != nil && w.absent[q] }
	if !slices.ContainsFunc(questions, func(q question) bool { return !known(q) }) {
		return has, nil
	}
	columns := make([]any, len(has))
	for i := range has {
		columns[i] = &has[i]
	}
	text, args := together(questions)
	return has, from.QueryRowContext(ctx, text, args...).Scan(columns...)
}

// lacks reports that the ledger has nothing of all that is asked for.
func (l *Ledger) lacks(ctx context.Context, from Querier, questions ...question) (bool, error) {
	has, err := l.mayHave(ctx, from, questions...)
	return err == nil && !slices.Contains(has, true), err
}

// Lacks implements importer.Ledger.
func (l *Ledger) Lacks(ctx context.Context, row *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	if l.hasOld {
		return false, nil // they are asked for otherwise
	}
	newer, err := l.askDecisions(ctx)
	if err != nil {
		return false, l.readError(ctx, err)
	}
	all := append(newer, l.askRows(&row.Key)...)
	for i := range row.Trips {
		trip := &row.Trips[i]
		account, known, err := l.accountID(ctx, accounts[i])
		if err != nil {
			return false, l.readError(ctx, err)
		}
		if known {
			all = append(all, l.cache.askTrip(account, trip.ID, l.Hashes.TripID(trip.ID)))
		}
		near := l.near(trip, within)
		if len(near) == 0 { // it has no time; otherwise its day is among them
			near = l.sameDay(trip)
		}
		for _, q := range l.askIdentities(append(near, l.spellings(row.Key, trip, row.Key.RespeltDays(trip)...)...)) {
			if i == 0 || !slices.Contains(all, q) { // the trips of a row are mostly of one day
				all = append(all, q)
			}
		}
	}

	lacks, err := l.lacks(ctx, l.lookUps, all...)
	decided := func(trip importer.Trip) bool {
		return l.decision(importer.Decision{Key: row.Key, Trip: &trip}) != importer.NoVerdict
	}
	return lacks && !slices.ContainsFunc(row.Trips, decided), l.readError(ctx, err)
}

// askRows asks for trips of a row, by each of its hashes.
func (l *Ledger) askRows(key *importer.RowKey) []question {
	var all []question
	for _, hash := range l.rowHashes(key) {
		all = append(all, l.cache.askRow(hash))
	}
	return all
}

// askIdentities asks for trips of identities.
func (l *Ledger) askIdentities(identities []identityOnDay) []question {
	all := make([]question, 0, len(identities))
	for _, id := range identities {
		all = append(all, l.cache.askIdentity(id.day, id.hash))
	}
	return all
}

// askAhead has what jobs will ask be asked as the transaction begins, where each question
// would be a way to a server and back.
func (w *Writer) askAhead(jobs []*job) {
	clear(w.absent)
	if w.queue == nil {
		return
	}
	for _, j := range jobs {
		if j.ask == nil {
			continue
		}
		questions := j.ask(w)
		if len(questions) == 0 {
			continue
		}
		sql, args := together(questions)
		w.queue.Ask(func(has []bool) {
			for i, q := range questions {
				if !has[i] {
					w.absent[q] = true
				}
			}
		}, len(questions), w.boundText(sql), args...)
	}
}

// together gives the statement that asks several questions, each in a column, and its
// arguments.
func together(questions []question) (sql string, args []any) {
	var b strings.Builder
	before := "SELECT "
	for i := range questions {
		parts := strings.Split(questions[i].sql, "?") // before the parameters, and from their numbers on
		b.WriteString(before + "(" + parts[0])
		for _, p := range parts[1:] {
			b.WriteString("?" + strconv.Itoa(len(args)+int(p[0]-'0')) + p[1:])
		}
		b.WriteByte(')')
		before = ", "
		args = append(args, questions[i].arguments()...)
	}
	return b.String(), args
}

// questions are what a claim asks for, as far as that is known before its turn.
func (l *Ledger) questions(w *Writer, k *claim) []question {
	all := append(l.askRows(&k.Key), l.askIdentities(k.near)...)
	if k.Look != nil {
		all = append(all, l.askNewDecisions())
	}
	for _, q := range l.askIdentities(k.beside) {
		if !slices.Contains(all, q) {
			all = append(all, q)
		}
	}

	l.mu.Lock()
	account, known := l.accounts[k.Account]
	l.mu.Unlock()
	if known {
		all = append(all, l.cache.askTrip(account, k.Trip.ID, k.hashedID))
	}
	input, ok := w.texts[k.Input]
	sheet, also := w.texts[k.sheet]
	if ok && also {
		all = append(all, askSource(k, input, sheet))
	}
	return all
}

// askSource asks for a trip of the leg of a claim's row.
func askSource(k *claim, input, sheet int64) question {
	return question{sql: hasSourceSQL, args: [5]any{input, int64(k.Row), k.leg, sheet}}
}

// isNew reports that a claim's trip was found to be new, and its row to have no trip of
// that leg.
func (l *Ledger) isNew(w *Writer, k *claim) bool {
	return w.absent[l.cache.askTrip(k.account, k.Trip.ID, k.hashedID)] && w.absent[askSource(k, k.input, k.sheetText)]
}

// nowHas takes note of a claim: the ledger does not lack any more what it adds.
func (l *Ledger) nowHas(w *Writer, k *claim) {
	if len(w.absent) == 0 {
		return
	}
	delete(w.absent, l.cache.askTrip(k.account, k.Trip.ID, k.hashedID))
	delete(w.absent, askSource(k, k.input, k.sheetText))
	delete(w.absent, l.cache.askRow(k.rowKey))
	for _, r := range k.identities {
		delete(w.absent, l.cache.askIdentity(r.Day, r.Hash))
	}
}
