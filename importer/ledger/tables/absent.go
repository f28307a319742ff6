package tables

import (
	"context"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A question asks whether the ledger has something. Where there is no negative cache,
// most questions of a night are answered with no, at a fraction of what reading a record
// costs.
type question struct {
	sql  string // its parameters are numbered, at most to 9
	args [5]any // numbers, texts and hashes; nil behind the last one
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
	hasSourceSQL = "SELECT EXISTS (SELECT 1 FROM trips WHERE input = ?1 AND row_num = ?2 AND leg = ?3 AND sheet = ?4 AND taken = 1)"
	hasGUIDSQL   = "SELECT EXISTS (SELECT 1 FROM settlements WHERE guid_key = ?1) OR EXISTS (SELECT 1 FROM resolutions WHERE guid_key = ?1)"
)

// askTrip asks for a trip of an account, by its id in clear and hashed.
func askTrip(account int64, id, hashed string) question {
	return question{hasTripSQL, [5]any{account, id, hashed}}
}

// askRow asks for trips of a row.
func askRow(row []byte) question { return question{hasRowSQL, [5]any{hash(row)}} }

// askIdentity asks for trips of an identity that have times on a day.
func askIdentity(day importer.Date, identity []byte) question {
	return question{hasIdentitySQL, [5]any{day.String(), hash(identity)}}
}

// askGUID asks for a trip that has a GUID, or was once said to have it. There is none
// without one.
func askGUID(g storedGUID) question {
	key, _ := g.key.(string)
	return question{hasGUIDSQL, [5]any{key}}
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

// lacks reports that the ledger has nothing of what is asked for.
func lacks(ctx context.Context, from Querier, q question) (bool, error) {
	if w, ok := from.(*Writer); ok && w.absent[q] {
		return true, nil
	}
	var has bool
	err := from.QueryRowContext(ctx, q.sql, q.arguments()...).Scan(&has)
	return !has, err
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
	var all []question
	for _, row := range l.rowHashes(&k.Key) {
		all = append(all, askRow(row))
	}
	for _, n := range k.near {
		all = append(all, askIdentity(n.day, n.hash))
	}

	l.mu.Lock()
	account, known := l.accounts[k.Account]
	l.mu.Unlock()
	if known {
		all = append(all, askTrip(account, k.Trip.ID, k.hashedID))
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
	return question{hasSourceSQL, [5]any{input, int64(k.Row), k.leg, sheet}}
}

// isNew reports that a claim's trip was found to be new, and its row to have no trip of
// that leg.
func (w *Writer) isNew(k *claim) bool {
	return w.absent[askTrip(k.account, k.Trip.ID, k.hashedID)] && w.absent[askSource(k, k.input, k.sheetText)]
}

// nowHas takes note of a claim: the ledger does not lack any more what it adds.
func (w *Writer) nowHas(k *claim) {
	if len(w.absent) == 0 {
		return
	}
	delete(w.absent, askTrip(k.account, k.Trip.ID, k.hashedID))
	delete(w.absent, askSource(k, k.input, k.sheetText))
	delete(w.absent, askRow(k.rowKey))
	for _, r := range k.identities {
		delete(w.absent, askIdentity(r.Day, r.Hash))
	}
}
