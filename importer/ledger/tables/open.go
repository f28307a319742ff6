package tables

import (
	"context"
	"errors"
	"strconv"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/mark"
)

// eventsLost is greater than the number of events that the lost ledger had and its copy lacks:
// workbooks with these numbers exist, and a number must never be given twice.
const eventsLost = 10_000_000

// hasSeenSQL is true if the ledger has the run of a mark. Without that run it is a different copy,
// however large its number of events is. A mark from before the ledger was adopted may name a run of
// the lost one.
const hasSeenSQL = "SELECT ?1 = '' OR EXISTS (SELECT 1 FROM runs WHERE id = ?1) OR ?2 <= COALESCE((SELECT CAST(value AS NUMERIC) FROM meta WHERE name = '" + MetaCopied + "'), 0)"

// CheckKey refuses the key of another ledger. path is that of the key, and fix says which is the right one.
func CheckKey(ctx context.Context, q Querier, identity string, hashes *keyed.Hashes, path, fix string) error {
	meta, err := Meta(ctx, q)
	if err == nil && (meta[MetaIdentity] != identity || meta[MetaKeyCheck] != hashes.Check()) {
		err = ledger.NewError("ledger-key-other", fix, "the hash key %s belongs to another ledger", path)
	}
	return err
}

// readAge reads how far the ledger has come, compared with marks that were read before.
func readAge(ctx context.Context, q Querier, marks []mark.Point) (a Age, err error) {
	meta, metaErr := Meta(ctx, q)
	if metaErr == nil {
		a.Event, metaErr = strconv.ParseInt(meta[MetaEvents], 10, 64)
	}
	a.Backup, a.Machine = meta[MetaBackup], meta[MetaMachine]
	a.Run, err = QueryOne(ctx, q, ScanOne[string], "SELECT COALESCE((SELECT id FROM runs ORDER BY num DESC LIMIT 1), '')")
	for _, seen := range marks {
		has, hasErr := QueryOne(ctx, q, ScanOne[bool], hasSeenSQL, seen.Run, seen.Number)
		err = errors.Join(err, hasErr)
		a.Older = a.Older || a.Event < seen.Number || !has
	}
	return a, errors.Join(metaErr, err)
}

// New returns the ledger that an engine has opened. After an error, the ledger has to be closed as well.
func New(ctx context.Context, c Config) (*Ledger, error) {
	l := &Ledger{Config: c}
	if c.Writer != nil {
		l.commits = &committer{engine: c.Engine, turn: make(chan struct{}, 1)}
		if err := l.begin(ctx); err != nil {
			return l, l.readError(ctx, err)
		}
	}
	meta, err := Meta(ctx, l.Readers)
	l.copied = number(meta[MetaCopied])
	return l, l.readError(ctx, err)
}

// begin proves that the ledger is the newest, or begins to adopt it, and ends the runs that were broken off.
func (l *Ledger) begin(ctx context.Context) error {
	w := l.Writer
	// A mark is written after its commit, so a number that is read after the marks is not
	// behind those of other processes of this machine.
	marks := w.mark.Seen()
	age, err := readAge(ctx, w, marks)
	w.LastEvent, w.lastRun, age.Here = age.Event, age.Run, l.Place
	w.committed.Store(age.Event)
	switch {
	case err != nil:
	case l.Adopting: // its runs were broken off before it goes on after a greater number: their results may have more
		if err = l.EndBrokenRuns(ctx); err == nil {
			err = l.beginAdopting(marks, l.Refuse(age) != nil)
		}
	default:
		err = l.Refuse(age)
	}
	if err == nil { // a ledger that is in use nowhere is in use here now
		err = l.Write(func(ctx context.Context, w *Writer) error {
			return w.Exec(ctx, "UPDATE meta SET value = ? WHERE name = '"+MetaMachine+"' AND value = ''", l.Place)
		})
	}
	if err == nil {
		err = l.EndBrokenRuns(ctx)
	}
	if err == nil {
		err = mark.Error(w.writeMark())
	}
	return err
}

// beginAdopting has a copy continue after a number that is greater than in any mark. One that is refused is marked, so
// that it is refused until it is adopted; a ledger in use stays in use if what is to be entered proves nothing.
func (l *Ledger) beginAdopting(marks []mark.Point, refused bool) error {
	return l.Write(func(ctx context.Context, w *Writer) error {
		for _, seen := range marks {
			w.LastEvent = max(w.LastEvent, seen.Number)
		}
		w.LastEvent += eventsLost
		if refused {
			w.put(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", MetaBackup, time.Now().UTC().Format(time.RFC3339))
		}
		return w.Exec(ctx, SetMetaSQL, MetaCopied, strconv.FormatInt(w.LastEvent, 10))
	})
}

// Adopt adopts a copy that an engine has opened as l, which is of this ledger; see ledger.Store.Adopt.
// It calls enter, unless that is nil, and then takes the copy into use here. After an error
// it closes the copy.
func (t *Ledger) Adopt(l ledger.Ledger, enter func(ledger.Ledger) (int64, error), o ledger.Options) (ledger.Ledger, error) {
	var seen int64
	var err error
	if enter != nil {
		seen, err = enter(l)
	}
	if err == nil {
		err = t.Write(func(ctx context.Context, w *Writer) error {
			w.LastEvent = max(w.LastEvent, seen) // the greatest number that is known of the lost ledger
			w.put(ctx, SetMetaSQL, MetaMachine, t.Place)
			w.put(ctx, "DELETE FROM meta WHERE name = ?", MetaBackup)
			t.addEvent(ctx, w, event{at: time.Now(), kind: "adopted", detail: ledger.EventDetail{Who: o.Who, Host: o.Host}})
			return nil
		})
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
