package tables

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

const (
	addDecisionSQL = "INSERT INTO decisions (subject, verdict, who, host, decided_at, attempt) VALUES (?, ?, ?, ?, ?, ?)"
	decidedAtSQL   = "SELECT decided_at FROM decisions WHERE subject = ? ORDER BY id DESC LIMIT 1"
	// The number of the last attempt is the number of attempts of the trip.
	lastAttemptsSQL = `SELECT t.id, a.id, a.number FROM trips t JOIN attempts a ON a.id = t.attempt
		WHERE t.account IN (SELECT id FROM accounts) AND t.trip_id IN (?, ?) AND t.leg = ?`
	// triedSQL reads the attempts of a trip backwards from the last one. With a day, it
	// reports which attempts were on that day, because the id may come again on other
	// days.
	triedSQL = `SELECT k.text, a.properties,
		? = '' OR EXISTS (SELECT 1 FROM identities y WHERE y.day = ? AND y.attempt = a.id)
		FROM attempts a JOIN texts k ON k.id = a.layout WHERE a.trip = ? AND a.id <= ? ORDER BY a.id DESC LIMIT ?`
)

// withdrawn is stored in place of a verdict to withdraw a decision.
const withdrawn = "back in the schedule"

// Decided implements importer.Ledger.
func (l *Ledger) Decided(ctx context.Context, d importer.Decision) (importer.Verdict, error) {
	if err := l.readDecisions(ctx); err != nil {
		return importer.NoVerdict, l.readError(ctx, err)
	}
	return l.decision(d), nil
}

// DecidedBefore implements importer.Ledger.
func (l *Ledger) DecidedBefore(d importer.Decision) importer.Verdict { return l.decision(d) }

// DecidedAt implements ledger.Ledger.
func (l *Ledger) DecidedAt(ctx context.Context, d importer.Decision) (v importer.Verdict, at time.Time, err error) {
	if err = l.readDecisions(ctx); err == nil {
		var subject string
		if v, subject = l.lastDecision(d); v == importer.NoVerdict {
			return v, at, nil
		}
		err = l.lookUps.QueryRowContext(ctx, decidedAtSQL, []byte(subject)).Scan(instantColumn(&at))
	}
	return v, at, l.readError(ctx, err)
}

// decision returns a person's last decision, among those that readDecisions has read.
func (l *Ledger) decision(d importer.Decision) importer.Verdict {
	v, _ := l.lastDecision(d)
	return v
}

// lastDecision is decision, with the key of decisions.bySubject under which it was found.
func (l *Ledger) lastDecision(d importer.Decision) (v importer.Verdict, key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.decisions.bySubject) == 0 { // as in most nights; the function is called for every trip
		return importer.NoVerdict, ""
	}
	lookUp := func(subject []string) importer.Verdict {
		key = string(l.Hashes.Decision(subject))
		return l.decisions.bySubject[key]
	}
	subject, ok := d.Subject()
	if !ok {
		return importer.NoVerdict, ""
	}
	v = lookUp(subject)
	if left, ok := d.LeftTrip(); ok && v == importer.NoVerdict && lookUp(left) != importer.NoVerdict {
		key = l.triedSubject(left, l.Hashes.Fingerprint(d.Trip))
		v = l.decisions.bySubject[key]
	}
	if v != importer.NoVerdict || d.Question != importer.AskDoubleBooking || l.earlierUntil == "" || d.From != "" {
		return v, key
	}
	for _, id := range d.Trip.EarlierPlaces() {
		d.Places = &id
		subject, _ = d.Subject()
		if v = lookUp(subject); v != importer.NoVerdict {
			break
		}
	}
	return v, key
}

// triedSubject returns the key of decisions.bySubject for a trip that is left, with the values
// of an attempt to book it.
func (l *Ledger) triedSubject(left []string, values keyed.Fingerprint) string {
	return string(l.Hashes.Decision(append(slices.Clone(left), values.Keys, string(values.Hashes))))
}

// leftSubjects returns the further keys under which a decision to leave a trip is stored:
// one for the trip itself, and one for the values of each attempt to book it so far. last
// is the last of these attempts, or 0. There are none for other decisions.
func (l *Ledger) leftSubjects(ctx context.Context, w *Writer, d *importer.Decision) (subjects []string, last int64, err error) {
	left, ok := d.LeftTrip()
	if !ok {
		return nil, 0, nil
	}
	day := ""
	if d.Key.IDs != importer.UniqueIDs {
		day = d.Trip.Date().String()
	}
	type attempts struct{ trip, last, number int64 }
	trips, err := Query(ctx, w, func(row Scanner) (a attempts, err error) {
		err = row.Scan(&a.trip, &a.last, &a.number)
		return a, err
	}, lastAttemptsSQL, d.Trip.ID, l.Hashes.TripID(d.Trip.ID), d.Trip.Leg.Code())
	subjects = []string{string(l.Hashes.Decision(left))}
	for _, t := range trips {
		if err != nil {
			return nil, 0, err
		}
		err = eachRow(ctx, w, func(row Scanner) error {
			var values keyed.Fingerprint
			var sameTrip bool
			err := row.Scan(&values.Keys, &values.Hashes, &sameTrip)
			if sameTrip {
				subjects, last = append(subjects, l.triedSubject(left, values)), max(last, t.last)
			}
			return err
		}, triedSQL, day, day, t.trip, t.last, t.number)
	}
	return subjects, last, err
}

// decisions has the last decision about each subject, among those that were read. Every
// trip of a night is looked up here, and there are few decisions, so they are kept in
// memory.
type decisions struct {
	bySubject map[string]importer.Verdict
	last      int64 // the number of the last decision that was read
	// whole reports that all decisions were read, and added counts those that this process
	// has added.
	whole bool
	added int64
}

// readDecisions reads the decisions that this process or others have added since the last
// call. They are numbered in the order of their commits.
func (l *Ledger) readDecisions(ctx context.Context) error {
	l.mu.Lock()
	last, added, whole := l.decisions.last, l.decisions.added, l.decisions.whole
	l.mu.Unlock()
	if whole {
		return nil
	}

	type decision struct {
		number        int64
		subject, word string
	}
	read, err := Query(ctx, l.lookUps, func(row Scanner) (d decision, err error) {
		err = row.Scan(&d.number, &d.subject, &d.word)
		return d, err
	}, "SELECT id, subject, verdict FROM decisions WHERE id > ? ORDER BY id", last)
	if err != nil {
		return err // some of them may be missing
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range read {
		if d.number <= l.decisions.last {
			continue // another caller has read it meanwhile
		}
		l.decisions.last = d.number
		if v, _, _ := importer.ParseVerdict(d.word); v != importer.NoVerdict {
			l.decisions.bySubject[d.subject] = v
		} else {
			delete(l.decisions.bySubject, d.subject) // the decision was withdrawn
		}
	}
	l.decisions.whole = l.Alone && added == l.decisions.added
	return nil
}

// askDecisions returns the question for decisions that were not read yet. If no other
// process writes, it reads them instead, which costs no more.
func (l *Ledger) askDecisions(ctx context.Context) ([]question, error) {
	if l.Alone {
		return nil, l.readDecisions(ctx)
	}
	return []question{l.askNewDecisions()}, nil
}

// askNewDecisions returns the question for decisions that were not read yet.
func (l *Ledger) askNewDecisions() question {
	l.mu.Lock()
	defer l.mu.Unlock()
	return question{sql: hasDecisionSQL, args: [5]any{l.decisions.last}}
}

// Decide implements ledger.Ledger.
func (l *Ledger) Decide(ctx context.Context, d importer.Decision, v importer.Verdict, by ledger.Person) error {
	return l.decide(ctx, d, v.String(), by)
}

// ForgetLeft implements importer.Ledger.
func (l *Ledger) ForgetLeft(ctx context.Context, attempt int64) error {
	return l.decide(ctx, importer.Decision{Other: attempt}, withdrawn, ledger.Person{When: time.Now()})
}

// decide adds a decision. A word that is no verdict withdraws the earlier decision.
func (l *Ledger) decide(ctx context.Context, d importer.Decision, word string, by ledger.Person) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	subject, ok := d.Subject()
	if !ok {
		return ledger.UnknownSubjectError()
	}
	err := l.commits.do(func(ctx context.Context, w *Writer) error {
		more, last, err := l.leftSubjects(ctx, w, &d)
		about := cmp.Or(d.Other, last)
		if d.From != "" { // not an answer about an attempt
			about = 0
		}
		if err == nil {
			_, err = w.ExecContext(ctx, addDecisionSQL, l.Hashes.Decision(subject), word, by.Who, by.Host, instant(by.When), about)
		}
		for _, also := range more {
			if err == nil {
				_, err = w.ExecContext(ctx, addDecisionSQL, []byte(also), word, by.Who, by.Host, instant(by.When), 0)
			}
		}
		if err == nil && about != 0 {
			_, err = w.ExecContext(ctx, "DELETE FROM raised WHERE attempt = ?", about)
		}
		return err
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.decisions.whole = false
	l.decisions.added++
	return err
}
