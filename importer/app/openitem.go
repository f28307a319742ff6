package app

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/results/atomicfile"
)

// factOpen is the kind of the facts about what is open: one for each leg of a row that needs a
// person, and one for each booked trip that no row makes any more. A fact is erased when a later
// run finds nothing to do there, or keptOpen days after its day.
const factOpen = "open"

// keptOpen is how many days back the list of what is open goes.
const keptOpen = 3

// A place is that of a row: the SHA-256 of its file, its sheet, and its number there.
type place struct {
	input, sheet string
	row          int
}

// lastDay returns the last day on which an item matters; zero if it is not known.
func lastDay(i *results.OpenItem) importer.Date {
	return slices.MaxFunc([]importer.Date{i.Day, i.Trip.Time().Date, i.Outcome.Begins.Date}, importer.Date.Compare)
}

// openItems returns what runs left open. The ledger keeps it, encrypted; of its trips it has what the list shows.
func openItems(ctx context.Context, l ledger.Ledger) ([]results.OpenItem, error) {
	facts, err := l.Facts(ctx, factOpen)
	items := make([]results.OpenItem, len(facts))
	for k, f := range facts {
		i := &items[k]
		if err := json.Unmarshal([]byte(f.Value), i); err != nil {
			return nil, fmt.Errorf("what is open can't be read: %w", err)
		}
		i.Subject = f.Subject
	}
	return items, err
}

// An openRecorder records what a run leaves open. It writes in groups, since each is a
// transaction.
type openRecorder struct {
	job *job
	// rows, trips and places have the subjects of what earlier runs left open, by the ledger's numbers
	// of the row and of the trip, and by its place. A row that was fixed in results may have another number.
	rows   map[int64][]string
	trips  map[int64][]string
	places map[place][]string
	// done are the subjects of what this run left open or closed so far: another row with the same id erases
	// none that was left open.
	done map[string]bool
	// recorded are the subjects of what this run left open. Of two rows with one id the first one is listed, of
	// which their word tells.
	recorded map[string]bool
	// others are the items that may still be to be cancelled by hand although no row of this run tells: those
	// about legs that were not sent, of rows of the same broker, and about booked trips that no row makes and
	// that the retried results list.
	others []results.OpenItem
	facts  []ledger.Fact
	group  int // how many are written at once
	err    error
}

// newOpenRecorder returns the recorder of a run of the office's ledger.
func (j *job) newOpenRecorder(ctx context.Context) (*openRecorder, error) {
	r := &openRecorder{job: j, group: 256, rows: map[int64][]string{}, trips: map[int64][]string{}, places: map[place][]string{}, done: map[string]bool{}, recorded: map[string]bool{}}
	items, err := openItems(ctx, j.ledger)
	since := j.clock.Wall(nil).AddDays(-keptOpen)
	for k := range items {
		i := &items[k]
		if last := lastDay(i); !last.IsZero() && last.Compare(since) < 0 {
			r.erase(i.Subject)
			continue
		}
		r.rows[i.Outcome.RowNumber] = append(r.rows[i.Outcome.RowNumber], i.Subject)
		at := place{i.Input, i.Sheet, i.Row}
		r.places[at] = append(r.places[at], i.Subject)
		if isOwn(&i.Outcome) {
			r.trips[i.Outcome.Attempt] = append(r.trips[i.Outcome.Attempt], i.Subject)
		}
		mine := i.Outcome.State.Missing() && i.Outcome.RowNumber != 0 && i.Broker == j.broker()
		if i.OffRow && i.Outcome.Attempt != 0 {
			mine = j.edited != nil && i.Run == j.edited.Run
		}
		if mine {
			r.others = append(r.others, *i)
		}
	}
	delete(r.rows, 0)
	return r, err
}

func (r *openRecorder) erase(subject string) {
	r.done[subject] = true
	for _, kind := range []string{factOpen, factRaised} {
		r.facts = append(r.facts, ledger.Fact{Kind: kind, Subject: subject, At: r.job.clock.Now()})
	}
}

// row records what is open in a row, in place of what earlier runs left open there.
func (r *openRecorder) row(row *importer.RowResult) {
	input := &r.job.described
	if slices.ContainsFunc(row.Trips, func(t importer.TripResult) bool { return t.Outcome.Older }) {
		return
	}
	was := r.places[place{input.Hash, row.Row.Sheet, row.Row.Num}]
	fixable := false
	for i := range row.Trips {
		t := &row.Trips[i]
		was = append(was, r.rows[t.Outcome.RowNumber]...)
		if !judge.Asks(&t.Outcome) {
			continue
		}
		item := r.itemOf(row, i, results.FindNames(input.Columns))
		item.Input = input.Hash
		item.Subject = r.subjectOf(row, t, input)
		if t.Outcome.Question == importer.AskWord {
			item.Words = row.NewWords
		}
		if t.Outcome.State == importer.Fix && !fixable {
			item.Faulty = faultyCells(row, input)
			fixable = len(item.Faulty) > 0 // once for the row
		}
		r.record(&item)
	}
	for _, subject := range was {
		if !r.done[subject] && !r.isElsewhere(row, subject) {
			r.erase(subject)
		}
	}
	r.flush(r.group)
}

// subjectOf returns the subject of an item about a trip of a row.
func (r *openRecorder) subjectOf(row *importer.RowResult, t *importer.TripResult, input *results.Input) string {
	about, known := t.Item()
	switch {
	case !known:
		return fmt.Sprint("at ", input.Hash, " ", row.Row.Sheet, " ", row.Row.Num, " ", t.Trip.Leg.Code())
	case r.isElsewhere(row, about.Subject):
		return about.Subject + " " + t.Trip.Provider
	}
	return about.Subject
}

// isElsewhere reports whether an item is about a trip that a row which is left out would have with another
// provider: the file of that one tells of it.
func (r *openRecorder) isElsewhere(row *importer.RowResult, subject string) bool {
	return row.LeftOut != "" && row.Trips[0].Trip.Provider != "" && slices.ContainsFunc(r.others, func(i results.OpenItem) bool {
		return i.Subject == subject && i.Trip.Provider != "" && !importer.SameName(i.Trip.Provider, row.Trips[0].Trip.Provider)
	})
}

// tellUnwanted says which trips are still to be cancelled by hand and in no row of this run: those that a person
// booked by hand and no run has recorded, and in a retry those that are gone from the schedule. Their items stay open.
func (r *openRecorder) tellUnwanted() {
	for _, i := range r.others {
		if r.done[i.Subject] {
			continue
		}
		known, err := knownAbout(context.Background(), r.job.ledger, &i.Outcome)
		if err != nil {
			r.err = cmp.Or(r.err, err)
			return
		}
		now, open := judge.Open(i.Outcome, i.Trip.Leg, &known, r.job.zone())
		if open && now.State == importer.CancelByHand && !judge.Past(&i.TripResult, r.job.clock.Wall(r.job.location())) {
			r.job.toCancel++
			r.job.notice("trip %s has to be cancelled by hand: %s", i.Trip.ListedID(), now.Reason)
		}
	}
}

// knownAbout returns what the ledger knows of the trip or the row that an open outcome is about.
func knownAbout(ctx context.Context, l ledger.Ledger, o *importer.Outcome) (importer.Known, error) {
	about := importer.Answer{Row: o.RowNumber}
	if isOwn(o) {
		about.Trip = o.Attempt
	}
	return knownOf(ctx, l, &about)
}

// faultyCells returns the cells of a row at which a fault is, as far as a list can show them.
func faultyCells(row *importer.RowResult, in *results.Input) (cells []results.ItemCell) {
	const mostCells, mostText = 4, 200
	for i := range row.Problems {
		if row.Problems[i].Severity != importer.Fault {
			continue
		}
		for _, at := range row.Problems[i].Cells {
			text := row.Row.Cell(at.Col).Text
			known := slices.ContainsFunc(cells, func(c results.ItemCell) bool { return c.Column == at.Col })
			column := slices.IndexFunc(in.Columns, func(c importer.Column) bool { return c.Num == at.Col })
			if column >= 0 && !known && len(text) <= mostText && len(cells) < mostCells {
				cells = append(cells, results.ItemCell{Column: at.Col, Header: in.Columns[column].Header, Text: text})
			}
		}
	}
	return slices.DeleteFunc(cells, func(c results.ItemCell) bool { return c.Header == "" })
}

// gone records the booked trips that the schedule does not have any more, in place of what earlier runs left open
// of them.
func (r *openRecorder) gone(trips []importer.TripResult) {
	for i := range trips {
		item := r.itemOf(&importer.RowResult{Trips: trips[i : i+1]}, 0, results.NameColumns{})
		item.File = r.job.described.Name
		item.Subject = fmt.Sprint("trip ", item.Outcome.Attempt)
		r.record(&item)
		for _, subject := range r.trips[item.Outcome.Attempt] {
			if !r.done[subject] {
				r.erase(subject)
			}
		}
	}
}

// itemOf returns the item of a trip of a row, of which it has only what the list shows.
func (r *openRecorder) itemOf(row *importer.RowResult, trip int, names results.NameColumns) results.OpenItem {
	i := results.NewItem(row, trip, names, r.job.zone())
	i.Run, i.Broker = r.job.start.Run.ID, r.job.broker()
	i.Outcome.Raised = false
	t := i.Trip
	i.Trip = importer.Trip{
		Leg: t.Leg, ID: t.ID, Alias: t.Alias, Provider: t.Provider, RiderID: t.RiderID,
		Pickup:  importer.Event{CompleteAddress: t.Pickup.Address(), PickupTime: t.Time()},
		Dropoff: importer.Event{CompleteAddress: t.Dropoff.Address()},
	}
	i.Zone = r.job.zoneName()
	if !r.job.isCheck() { // a schedule that was not sent has no results
		i.Results = atomicfile.FreeName(r.job.output()) // it has no name before the end
	}
	return i
}

// zoneName names the time zone of the schedule's times; empty for the one of this machine.
func (j *job) zoneName() string {
	if loc := j.location(); loc != nil {
		return loc.String()
	}
	return ""
}

func (r *openRecorder) record(i *results.OpenItem) {
	if r.recorded[i.Subject] {
		return
	}
	r.recorded[i.Subject] = true
	text, err := json.Marshal(i)
	r.facts = append(r.facts, ledger.Fact{Kind: factOpen, Subject: i.Subject, Value: string(text), At: r.job.clock.Now()})
	r.done[i.Subject], r.err = true, cmp.Or(r.err, err)
}

// flush writes what was recorded, if there are at least so many. After a failure nothing more is
// written: the run ends soon, and says that its ledger is away.
func (r *openRecorder) flush(atLeast int) {
	if len(r.facts) < max(1, atLeast) || r.err != nil {
		return
	}
	r.err = r.job.ledger.SetFact(context.Background(), r.facts...)
	r.facts = r.facts[:0]
}
