package tables

import (
	"context"
	"errors"
	"strconv"
	"time"

	"tripimport/importer"
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

// readAge reads how far the ledger has come. It says what is wrong if the ledger lacks something that one of the
// marks has, which were read before, or may lack something; empty if it is the newest.
func (l *Ledger) readAge(ctx context.Context, marks []mark.Point) (wrong string, err error) {
	w := l.Writer
	meta, metaErr := Meta(ctx, w)
	if metaErr == nil {
		w.LastEvent, metaErr = strconv.ParseInt(meta[MetaEvents], 10, 64)
	}
	w.committed.Store(w.LastEvent)
	w.lastRun, err = QueryOne(ctx, w, ScanOne[string], "SELECT COALESCE((SELECT id FROM runs ORDER BY num DESC LIMIT 1), '')")
	older := meta[MetaBackup] != ""
	for _, seen := range marks {
		has, hasErr := QueryOne(ctx, w, ScanOne[bool], hasSeenSQL, seen.Run, seen.Number)
		err = errors.Join(err, hasErr)
		older = older || w.LastEvent < seen.Number || !has
	}
	switch place := meta[MetaMachine]; {
	case older:
		wrong = "is an older copy: it lacks what was booked since"
	case place != l.Place && place != "" && l.Place != "":
		wrong = "is in use on another machine, or is a copy of the one in use: it may lack what was booked since"
	}
	return wrong, errors.Join(metaErr, err)
}

// refuse refuses a ledger with which something is wrong.
func (l *Ledger) refuse(wrong string) error {
	if wrong == "" {
		return nil
	}
	return ledger.NewError("ledger-older-copy", "import with the newest ledger, where that is; if it is lost, or this machine takes its place, take this one into use, with the results of the runs since it was copied, which prove what they booked",
		"the ledger %s %s, and those trips would be booked again", l.Location(), wrong).Or("then adopt it", importer.AdoptLedger, "FILE")
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
	wrong, err := l.readAge(ctx, marks)
	switch {
	case err != nil:
	case l.Adopting: // its runs were broken off before it goes on after a greater number: their results may have more
		if err = l.EndBrokenRuns(ctx); err == nil {
			err = l.beginAdopting(marks, wrong != "")
		}
	default:
		err = l.refuse(wrong)
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
			w.put(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", MetaBackup, IsBackup)
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
