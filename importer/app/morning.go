package app

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

// MorningOptions says what a morning list is made from.
type MorningOptions struct {
	// Folder is the shared results folder: the workbook is written to it, and answers are
	// taken from it. Empty for no workbook. Take reports that answers are taken all the same.
	Folder string
	Take   bool
	// SeenBy is when people will have seen the list; zero for three hours from now.
	SeenBy time.Time
	// Unsent are schedules that were not sent by last call, the newest last. They are written to a workbook
	// downtime.….xlsx in Folder, from which staff phone them. Of each trip in it people are asked before it
	// is sent.
	Unsent []Unsent
}

// An Unsent is a schedule that was not sent. Mapping is the file of its mapping or the name of
// a template; empty to choose the mapping by the schedule's columns. Only the trips of Days count, and
// those whose day can't be read; without Days all trips. Suspect is as in Options.
type Unsent struct {
	Path, Mapping string
	Days          []importer.Date
	Suspect       bool
}

// isFor reports whether a trip of the day counts. Another night is for one of another day.
func (u *Unsent) isFor(day importer.Date) bool {
	return day.IsZero() || u.Days == nil || slices.Contains(u.Days, day)
}

// Morning lists what the ledger has as open, and writes the list to the workbook morning.xlsx
// in the folder, in which people answer. What was answered, fixed or booked since is not
// listed. A run that was broken off is named in Morning.Lost.
//
// Nothing is sent. The answers in the folder's workbooks are taken first, unless a run holds the
// ledger. Those that were not taken are told in the new workbook, beside their trips. A workbook that
// somebody has open is left as it is, and a second one is written.
func (a *App) Morning(ctx context.Context, o MorningOptions) (m *results.Morning, taken Taken, err error) {
	if o.Folder != "" || o.Take {
		if taken, err = a.TakeMorning(ctx, o.Folder); err != nil && StatusOf(err) != Locked {
			return nil, taken, err
		}
	}
	use := a.ReadLedger
	if len(o.Unsent) > 0 { // no run sends meanwhile what is printed
		use = a.holdLedger
	}
	err = use(ctx, func(l ledger.Ledger) error {
		list, err := a.listOpen(ctx, l, o.SeenBy)
		if err != nil {
			return err
		}
		m = list.Morning
		m.Missing = taken.Missing
		if o.Folder == "" {
			return nil
		}
		return errors.Join(list.writeUnsent(o.Folder, o.Unsent), list.writeWorkbook(o.Folder))
	})
	return m, taken, err
}

// TakeMorning takes what people wrote in the workbooks that the ledger issued, and in the lists in the
// folder if there is one, and records it. What it sets free is sent by the next run.
func (a *App) TakeMorning(ctx context.Context, folder string) (taken Taken, err error) {
	if folder != "" {
		if folder, err = filepath.Abs(folder); err != nil {
			return taken, err
		}
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return taken, Usage("name a folder that this user may read", "the folder %s can't be read", folder)
		}
	}
	err = a.writeLedger("morning", 0, func(l ledger.Ledger) error {
		known, err := l.Facts(ctx, factFolder)
		if err == nil && folder != "" && !slices.ContainsFunc(known, func(f ledger.Fact) bool { return f.Subject == folder }) {
			err = l.SetFact(ctx, ledger.Fact{Kind: factFolder, Subject: folder, Value: "morning", At: a.env.Clock.Now()})
		}
		if err != nil {
			return err
		}
		address, err := a.addressIn(ctx, l)
		if err != nil {
			return err
		}
		r, err := a.newTaker(ctx, l, address)
		if err != nil {
			return err
		}
		err = r.takeAll(ctx)
		taken = r.Taken
		return err
	})
	return taken, err
}

// writeUnsent writes the workbook of the schedules that were not sent.
func (g *openList) writeUnsent(folder string, all []Unsent) error {
	path := filepath.Join(folder, "downtime."+g.Made.UTC().Format(runTime)+".xlsx")
	for _, u := range slices.Backward(all) { // what the newest one has, no older one prints again
		unsent, err := g.readUnsent(u, filepath.Base(path))
		switch {
		case g.ctx.Err() != nil:
			return g.ctx.Err()
		case err != nil:
			g.Lost = append(g.Lost, g.lostFile(u.Path, err))
		default:
			g.Unsent, g.UnsentSchedules = append(g.Unsent, unsent...), append(g.UnsentSchedules, filepath.Base(u.Path))
		}
	}
	if len(g.Unsent) == 0 {
		return nil
	}
	if err := g.WriteUnsent(path); err != nil {
		return Usage("see that there is room and that this user may write there", "%s can't be written", path)
	}
	return g.share(g.UnsentFile)
}

// lostFile names a file that could not be read, with the reason and advice.
func (g *openList) lostFile(path string, err error) results.LostRun {
	lost := results.LostRun{File: filepath.Base(path), Reason: err.Error(), Fix: "see that it can be read, and that its mapping is where it was"}
	if known, ok := errors.AsType[importer.Advised](err); ok {
		lost.Fix = importer.SayAll(known.Advice(), g.env.Spell)
	}
	return lost
}

// readUnsent reads a schedule that was not sent, and returns its trips that are missing in
// the service or to be cancelled there. It records the schedule, and that the missing ones are
// printed in the list to be phoned.
func (g *openList) readUnsent(u Unsent, list string) (unsent []results.OpenItem, err error) {
	a := *g.App
	a.Mapping = cmp.Or(u.Mapping, a.Mapping)
	j, err := a.openJob("check", Options{SeenBy: g.seenBy, Days: u.Days, Suspect: u.Suspect}, Silent{}, u.Path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	address, err := g.addressIn(g.ctx, g.ledger)
	if err != nil {
		return nil, err
	}
	names := results.FindNames(j.described.Columns)
	open, err := j.checkRows(g.ctx, g.ledger, address, func(row importer.RowResult) error {
		for i := range row.Trips {
			t, item := &row.Trips[i], results.NewItem(&row, i, names, j.zone())
			item.Zone = j.zoneName()
			switch {
			case !u.isFor(t.Trip.Date()), g.isPrinted(t):
			case t.Outcome.State.Missing(), t.Outcome.State == importer.CancelByHand:
				unsent = append(unsent, item)
			}
		}
		return nil
	})
	if err == nil {
		open.flush(0)
		err = open.err
	}
	if err != nil {
		return nil, err
	}
	return unsent, g.notePrinted(unsent, list)
}

// isPrinted reports whether a schedule that was read before has the trip, too.
func (g *openList) isPrinted(t *importer.TripResult) bool {
	return t.Outcome.RowNumber != 0 && slices.ContainsFunc(g.Unsent, func(i results.OpenItem) bool {
		return i.Outcome.RowNumber == t.Outcome.RowNumber && i.Trip.Leg == t.Trip.Leg
	})
}

// notePrinted records of missing trips that they are printed in a list to be phoned, so that people are asked before one is sent.
func (g *openList) notePrinted(trips []results.OpenItem, list string) error {
	for i := range trips {
		printed := g.answerAbout(&trips[i])
		if printed.Row == 0 || !trips[i].Outcome.State.Missing() {
			continue
		}
		printed.Note, printed.Where = importer.PrintedToPhone, list
		if _, _, err := recordAnswer(g.ctx, g.ledger, printed); err != nil {
			return err
		}
	}
	return nil
}

// checkRows decides each row of the job as a run would, with the mapping, the rules and the
// ledger as they are now, and passes it to a function. It records what the schedule says, sends nothing, and
// returns what is open of it, which is not recorded yet.
func (j *job) checkRows(ctx context.Context, l ledger.Ledger, address string, to importer.EachRow) (*openRecorder, error) {
	j.ledger, j.address = l, address
	if err := j.through(ctx, j.setToday, j.openPlaces, j.watchWords, j.checkRowIDs, j.makePlan); err != nil {
		return nil, err
	}
	j.start.Run = j.runInfo()
	j.start.Run.Command = "morning"
	open, err := j.newOpenRecorder(ctx)
	if err != nil {
		return nil, err
	}
	open.group = math.MaxInt
	each := func(row importer.RowResult) error {
		open.row(&row)
		return to(row)
	}
	check := j.pass()
	check.Reporter, check.Unsent, check.Phoned = importer.EachRow(each), "it is not booked yet", true
	if err := l.Begin(ctx, check.Info); err != nil {
		return nil, err
	}
	result, err := check.Do(ctx, importer.RunStart{Run: check.Info, Check: true, Plan: j.plan.PlanSummary})
	open.gone(result.Gone)
	open.tellUnwanted()
	return open, errors.Join(err, l.End(context.WithoutCancel(ctx), check.Info.ID, result.Totals, j.env.Clock.Now(), importer.PrintedToPhone))
}
