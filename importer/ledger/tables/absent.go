package tables

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A question asks whether the ledger has something. Without a negative cache, most
// questions of a night are answered with no, at a fraction of the cost of reading a
// record.
type question struct {
	sql   string    // with numbered parameters, at most ?9
	args  [5]any    // numbers, texts and hashes; nil after the last one
	marks [2]uint64 // the marks in the negative cache of what is asked for; zeros for none
}

// A hash is an argument of a question.
type hash string

const (
	// Each comparison uses all columns of one index. Otherwise a database that has not
	// analysed its tables yet may read all trips of an account.
	hasTripSQL     = "SELECT EXISTS (SELECT 1 FROM trips WHERE account = ?1 AND trip_id = ?2) OR EXISTS (SELECT 1 FROM trips WHERE account = ?1 AND trip_id = ?3)"
	hasRowSQL      = "SELECT EXISTS (SELECT 1 FROM trips WHERE row_key = ?1)"
	hasIdentitySQL = "SELECT EXISTS (SELECT 1 FROM identities WHERE day = ?1 AND identity = ?2)"
	// The trip may be of any service, because a process may use one by several addresses.
	hasSourceSQL   = "SELECT EXISTS (SELECT 1 FROM trips WHERE input = ?1 AND row_num = ?2 AND leg = ?3 AND sheet = ?4 AND taken = 1)"
	hasDecisionSQL = "SELECT EXISTS (SELECT 1 FROM decisions WHERE id > ?1)"
	hasGUIDSQL     = "SELECT EXISTS (SELECT 1 FROM settlements WHERE guid_key = ?1) OR EXISTS (SELECT 1 FROM resolutions WHERE guid_key = ?1)"
)

// askTrip returns the question for a trip of an account, by its id in clear and its hash.
func (c *negativeCache) askTrip(account int64, id, hashed string) question {
	return question{hasTripSQL, [5]any{account, id, hashed}, [2]uint64{c.tripMark(account, id), c.tripMark(account, hashed)}}
}

// askRow returns the question for trips of a row.
func (c *negativeCache) askRow(row []byte) question {
	mark := c.identityMark(row)
	return question{hasRowSQL, [5]any{hash(row)}, [2]uint64{mark, mark}}
}

// askIdentity returns the question for trips of an identity that have times on a day.
func (c *negativeCache) askIdentity(day importer.Date, identity []byte) question {
	mark := c.identityMark(identity)
	return question{hasIdentitySQL, [5]any{day.String(), hash(identity)}, [2]uint64{mark, mark}}
}

// askGUID returns the question for a trip that has a GUID, or was once said to have it.
func askGUID(g storedGUID) question {
	key, _ := g.key.(string)
	return question{sql: hasGUIDSQL, args: [5]any{key}}
}

// arguments returns the arguments in the form that a database takes.
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

// mayHave reports for each question whether the ledger may have what it asks for. It
// answers all of them from memory, or with one statement.
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
	text, args := joinQuestions(questions)
	return has, from.QueryRowContext(ctx, text, args...).Scan(columns...)
}

// lacks reports that the ledger has nothing of what the questions ask for.
func (l *Ledger) lacks(ctx context.Context, from Querier, questions ...question) (bool, error) {
	has, err := l.mayHave(ctx, from, questions...)
	return err == nil && !slices.Contains(has, true), err
}

// Lacks implements importer.Ledger.
func (l *Ledger) Lacks(ctx context.Context, row *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	if l.hasOld {
		return false, nil // trips of schema 1 are found by other means
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
		if len(near) == 0 { // the trip has no time; otherwise near includes its day
			near = l.sameDay(trip)
		}
		for _, q := range l.askIdentities(append(near, l.spellings(row.Key, trip, row.Key.RespeltDays(trip)...)...)) {
			if i == 0 || !slices.Contains(all, q) { // the trips of a row are mostly on one day
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

// askRows returns the questions for trips of a row, one for each of its hashes.
func (l *Ledger) askRows(key *importer.RowKey) []question {
	var all []question
	for _, hash := range l.rowHashes(key) {
		all = append(all, l.cache.askRow(hash))
	}
	return all
}

// askIdentities returns the questions for trips of the identities.
func (l *Ledger) askIdentities(identities []identityOnDay) []question {
	all := make([]question, 0, len(identities))
	for _, id := range identities {
		all = append(all, l.cache.askIdentity(id.day, id.hash))
	}
	return all
}

// askAhead asks, when the transaction begins, the questions that the jobs will have,
// because each question would otherwise be a round trip to the server. It does so only if
// the connection is a Queue.
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
		sql, args := joinQuestions(questions)
		w.queue.Ask(func(has []bool) {
			for i, q := range questions {
				if !has[i] {
					w.absent[q] = true
				}
			}
		}, len(questions), w.boundText(sql), args...)
	}
}

// joinQuestions returns one statement that asks several questions, each in a column, and its
// arguments.
func joinQuestions(questions []question) (sql string, args []any) {
	var b strings.Builder
	before := "SELECT "
	for i := range questions {
		parts := strings.Split(questions[i].sql, "?") // each part after the first begins with a parameter's number
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

// questions returns the questions of a claim, as far as they are known before its turn to
// write.
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

// askSource returns the question for a trip with the same row and leg as the claim's.
func askSource(k *claim, input, sheet int64) question {
	return question{sql: hasSourceSQL, args: [5]any{input, int64(k.Row), k.leg, sheet}}
}

// isNew reports that askAhead found that the claim's trip is new, and that its row has no
// trip with the same leg.
func (l *Ledger) isNew(w *Writer, k *claim) bool {
	return w.absent[l.cache.askTrip(k.account, k.Trip.ID, k.hashedID)] && w.absent[askSource(k, k.input, k.sheetText)]
}

// removeAbsent removes from Writer.absent what a claim has added to the ledger.
func (l *Ledger) removeAbsent(w *Writer, k *claim) {
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
