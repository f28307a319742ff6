package run

import (
	"context"
	"hash/maphash"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// A Plan is the result of the first pass: what the file holds, what would be changed, and digests
// that prove in the second pass that the file has not changed. It holds no rows.
type Plan struct {
	importer.PlanSummary
	// Pairs are the providers and funding sources of the rows to be booked, in the order of
	// their first row.
	Pairs []importer.Pair
	// Arrival is that of the input, with its scopes; not yet recorded.
	Arrival importer.Arrival
	// Changes are the changes of booked trips that the run would make.
	Changes judge.Changes
	// OtherDay counts the rows whose id is booked on another day, if the mapping does not say
	// whether ids come again. Foreign counts those whose id is booked for another broker.
	OtherDay, Foreign int
	// TakenBack says whether the file only says again what earlier schedules said.
	TakenBack judge.TakenBack
	// Newer is the newest arrival that is newer than the file; nil if there is none.
	// Replaced reports that newer ones that are whole have all that the file is about.
	Newer    *importer.Arrival
	Replaced bool
	// Half has a sentence for each day of which a file seems to have only half, and Untold one
	// for each other reason for which it does not tell what is gone.
	Half, Untold []string

	seed    maphash.Seed
	digests []uint64       // of the rows
	counted map[int64]bool // the trips in the ledger that came
	again   int            // the number of those that came a second time
	// present is what the file says of the rows that it has; empty if no ledger was asked.
	present importer.Proposals
}

// MakePlan is the first pass, which sets Plan. It reads the input to its end, calls Checker.Note and
// Placer.Want if there are these, and asks the ledger, if there is one, about each row. It returns an error of a Source or
// of the ledger, or the context's.
func (r *Run) MakePlan(ctx context.Context) error {
	p := &Plan{seed: maphash.MakeSeed(), counted: map[int64]bool{}, present: importer.Proposals{}}
	r.Plan = p
	days := map[importer.Date]int{}
	if err := r.Input.findVersions(ctx, r.Ledger, r.Address); err != nil {
		return err
	}
	if err := guarded(func() error { return r.read(ctx, days) }); err != nil {
		return err
	}
	for day, n := range days {
		p.Dates = append(p.Dates, importer.DateCount{Date: day, Trips: n})
	}
	slices.SortFunc(p.Dates, func(a, b importer.DateCount) int { return a.Date.Compare(b.Date) })
	if r.Ledger == nil {
		return nil
	}
	return r.compareArrival(ctx)
}

// read is the first pass over the input.
func (r *Run) read(ctx context.Context, days map[importer.Date]int) error {
	p, in := r.Plan, &r.Input
	digests := digester{seed: p.seed}
	p.Arrival = in.Arrival
	p.Arrival.Broker, p.Arrival.Input, p.Arrival.Name = in.Mapper.RowIDs().Broker, in.Source.Hash(), in.Source.Name()
	var damaged damage
	digest := func(row importer.Row) error {
		p.digests = append(p.digests, digests.digest(row))
		return ctx.Err()
	}
	for rows, err := range in.batches(true, digest) {
		if err != nil {
			return err
		}
		for _, m := range rows {
			if err := damaged.refuse(m); err != nil {
				return err
			}
			p.note(m, days)
			if r.Checker != nil {
				r.Checker.Note(m)
			}
			want(r.Placer, m)
		}
		if r.Ledger != nil {
			if err := r.askAbout(ctx, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// want has a placer collect the addresses of a row; nil collects none.
func want(placer importer.Placer, m *importer.Mapped) {
	if placer == nil || m.LeftOut != "" || m.Shifted() {
		return
	}
	for i := range m.Trips {
		placer.Want(&m.Trips[i])
	}
}

// note counts a row.
func (p *Plan) note(m *importer.Mapped, days map[importer.Date]int) {
	p.Rows++
	p.Trips += len(m.Trips)
	p.Arrival.AddScope(m)
	if m.LeftOut != "" {
		return
	}
	for i := range m.Trips {
		t := &m.Trips[i]
		pair := t.Pair()
		if t.Provider != "" && t.FundingSource != "" && !m.Shifted() && !slices.Contains(p.Pairs, pair) {
			p.Pairs = append(p.Pairs, pair)
		}
		if t.Date().IsZero() {
			p.Untimed++
		} else {
			days[t.Date()]++
		}
	}
}

// askAbout asks the ledger about some rows.
func (r *Run) askAbout(ctx context.Context, rows []*importer.Mapped) error {
	known, err := r.Ledger.Look(ctx, r.Address, rows)
	if err != nil {
		return err
	}
	for i, m := range rows {
		r.Plan.present.Add(known[i].ID, &m.Key, importer.Proposal{Says: m.Says(), Trips: uint8(len(m.Trips)), Bare: m.Bare()}) //nolint:gosec // from one to three
		r.count(&judge.Wanted{Row: m, Arrival: &r.Plan.Arrival, Version: m.Row.Version, Workbook: r.Input.Edited, Mapping: r.Input.MappingHash}, &known[i], r.Options())
	}
	return nil
}

// count counts what the ledger has of a row.
func (r *Run) count(w *judge.Wanted, k *importer.Known, o *judge.Options) {
	p, m := r.Plan, w.Row
	if !w.Workbook {
		p.TakenBack.Add(k)
	}
	if m.LeftOut != "" {
		return
	}
	otherDay, foreign := false, false
	for _, d := range judge.Row(w, k, o) {
		if d.Leg < 0 {
			continue
		}
		if p.countTrip(&d) {
			p.Changes.Add(&d, &m.Trips[d.Leg])
		}
		otherDay = otherDay || d.Outcome.Question == importer.AskOtherDay && m.Key.IDs == importer.UnsaidIDs
		foreign = foreign || d.Problem.Code == "trip-id-reused"
	}
	p.OtherDay += importer.One(otherDay)
	p.Foreign += importer.One(foreign)
}

// countTrip counts a trip by what the ledger has of it. It counts a booked trip once, and reports false for it
// if copies of its row follow.
func (p *Plan) countTrip(d *judge.Decision) bool {
	switch {
	case d.Trip == nil || !d.Trip.State.Taken():
		p.New += importer.One(d.Outcome.State != importer.LeftOut) // nobody waits for what a person left
		return true
	case p.counted[d.Trip.Number]:
		p.again++
		return false
	case d.Trip.State == importer.TripBooked:
		p.Earlier++
	default:
		p.Unclear++
	}
	p.counted[d.Trip.Number] = true
	return true
}

// Supersedes reports whether the file of the plan takes the place of that of an older one, which
// is not imported then.
func (p *Plan) Supersedes(older *Plan) bool {
	has, live := 0, 0
	for row, said := range older.present {
		if said.Says == importer.SaysLive {
			live++
			has += importer.One(p.present[row].Says != 0)
		}
	}
	return judge.Supersedes(has, live)
}

// compareArrival decides whether the input is whole, and finds newer arrivals.
func (r *Run) compareArrival(ctx context.Context) error {
	p := r.Plan
	a := &p.Arrival
	days := a.Days()
	if !r.Input.isArrival() || len(days) == 0 {
		return nil
	}
	known, err := r.Ledger.Arrivals(ctx, a.Broker, days[0])
	if err != nil {
		return err
	}
	a.Stamp = judge.CountsAs(a, known)
	r.Input.Arrival.Stamp = a.Stamp
	p.Newer, p.Replaced = judge.Older(a, known), judge.Replaced(a, known)
	if a.Whole || a.Cut {
		return r.compareWhole(ctx, a, known, r.Input.Mapper.Rules().Location)
	}
	return nil
}

// compareWhole decides whether an input that is said to be whole really is.
func (r *Run) compareWhole(ctx context.Context, a *importer.Arrival, known []importer.Arrival, zone *time.Location) error {
	p := r.Plan
	if r.WholeDays != nil {
		whole := r.WholeDays(p)
		for n := range a.Scopes {
			a.Scopes[n].Partial = !slices.Contains(whole, a.Scopes[n].Day)
		}
	}
	scheduled, err := r.Ledger.Schedule(ctx, r.Address, a.Broker, a.Days())
	if err != nil {
		return err
	}
	has := func(word *importer.Word) bool { _, ok := p.present.Of(word); return ok }
	p.Half, p.Untold = judge.Whole(a, &judge.Scheduled{Rows: scheduled, Known: known, Has: has, Now: r.Clock.Wall(zone), Zone: zone})
	for i := range scheduled {
		if word := scheduled[i].Word(); word != nil && !has(word) {
			p.TakenBack.Gone(word, a, known)
		}
	}
	return nil
}

// LeaveOut subtracts copies of other trips from the counts of trips to be booked. copies counts
// them by their days.
func (p *Plan) LeaveOut(copies map[importer.Date]int) {
	all := -p.again // copies of trips in the ledger were not counted as New
	for day, n := range copies {
		all += n
		if i := slices.IndexFunc(p.Dates, func(c importer.DateCount) bool { return c.Date == day }); i >= 0 {
			p.Dates[i].Trips -= n
		} else {
			p.Untimed -= n
		}
	}
	p.New -= max(all, 0)
}

// HasDay reports whether any trip is on the day.
func (p *Plan) HasDay(day importer.Date) bool {
	return slices.ContainsFunc(p.Dates, func(c importer.DateCount) bool { return c.Date == day })
}

// MainDate returns the day with the most trips, the earliest of several; the zero Date if no trip has a date.
func (p *Plan) MainDate() importer.Date {
	var most importer.DateCount
	for _, d := range p.Dates { // in their order
		if d.Trips > most.Trips {
			most = d
		}
	}
	return most.Date
}

// damagedIDLimit is the number of rows with a damaged id at which a file is refused. One
// may be a typing error; three mean that Excel opened and saved the file.
const damagedIDLimit = 3

// A damage is what was found in a file's rows so far.
type damage struct {
	ids   int          // rows whose ids a spreadsheet program seems to have rewritten
	title importer.Ref // a title of cancelled trips
}

// refuse returns an *importer.InputError at a row with which there are too many rewritten ids, at one where another
// table begins, and at the title above a row that is not left out.
func (d *damage) refuse(m *importer.Mapped) error {
	switch {
	case m.LeftOut == importer.TitleOfCancelled:
		d.title = m.Row.Ref(0)
		return nil
	case m.LeftOut != "":
		return nil
	case d.title.Row > 0 && m.Row.Num > d.title.Row: // results may be sorted
		return &importer.InputError{
			File: m.Row.File, At: d.title, Reason: "this title looks like a cancellation, and its rows stand below the headers like all others",
			Fix: "put the rows that are not to be driven on a sheet or into a file of their own",
		}
	}
	for _, p := range m.AllProblems() {
		switch p.Code {
		case importer.CodeSecondTable:
			return &importer.InputError{File: m.Row.File, At: m.Row.Ref(0), Reason: p.Message, Fix: p.Fix}
		case importer.CodeSavedByExcel:
			if d.ids++; d.ids < damagedIDLimit {
				return nil
			}
			return &importer.InputError{
				File: m.Row.File, At: p.At(&m.Row), Reason: "several ids look rewritten, so this file seems to have been opened and saved by Excel",
				Fix: "use the original export, unopened; in a workbook, ids of more than 15 digits must be stored as text",
			}
		}
	}
	return nil
}
