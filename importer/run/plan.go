package run

import (
	"context"
	"hash/maphash"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// A Plan is the result of the first pass: what the files hold, what would be changed, and digests
// that prove in the second pass that the files have not changed. It holds no rows.
type Plan struct {
	importer.PlanSummary
	// Pairs are the providers and funding sources of the rows to be booked, in the order of
	// their first row.
	Pairs []importer.Pair
	// Arrivals are those of the inputs, with their scopes; not yet recorded.
	Arrivals []importer.Arrival
	// Changes are the changes of booked trips that the run would make.
	Changes judge.Changes
	// OtherDay counts the rows whose id is booked on another day, if the mapping does not say
	// whether ids come again. Foreign counts those whose id is booked for another broker.
	OtherDay, Foreign int
	// TakenBack says whether the files only say again what earlier schedules said.
	TakenBack judge.TakenBack
	// Newer is the newest arrival that is newer than one of the files; nil if there is none.
	// Replaced reports that newer ones that are whole have all that the files are about.
	Newer    *importer.Arrival
	Replaced bool
	// Half has a sentence for each day of which a file seems to have only half, and Untold one
	// for each other reason for which it does not tell what is gone.
	Half   []string
	Untold []judge.Untold

	seed    maphash.Seed
	digests [][]uint64     // of the rows, for each input
	counted map[int64]bool // the trips in the ledger that came
	again   int            // the number of those that came a second time
	// present is what the files say of the rows that they have; empty if no ledger was asked.
	present importer.Proposals
}

// MakePlan is the first pass, which sets Plan. It reads every input to its end, calls Checker.Note and
// Placer.Want if there are these, and asks the ledger, if there is one, about each row. It returns an error of a Source or
// of the ledger, or the context's.
func (r *Run) MakePlan(ctx context.Context) error {
	p := &Plan{seed: maphash.MakeSeed(), counted: map[int64]bool{}, present: importer.Proposals{}}
	r.Plan = p
	days := map[importer.Date]int{}
	for i := range r.Inputs {
		if err := r.Inputs[i].findVersions(ctx, r.Ledger, r.Address); err != nil {
			return err
		}
		if err := r.read(ctx, &r.Inputs[i], days); err != nil {
			return err
		}
	}
	for day, n := range days {
		p.Dates = append(p.Dates, importer.DateCount{Date: day, Trips: n})
	}
	slices.SortFunc(p.Dates, func(a, b importer.DateCount) int { return a.Date.Compare(b.Date) })
	if r.Ledger == nil {
		return nil
	}
	return r.compareArrivals(ctx)
}

// read is the first pass over one input.
func (r *Run) read(ctx context.Context, in *Input, days map[importer.Date]int) error {
	p := r.Plan
	rows := digester{seed: p.seed}
	arrival := in.Arrival
	arrival.Broker, arrival.Input, arrival.Name = in.Mapper.RowIDs().Broker, in.Source.Hash(), in.Source.Name()
	var digests []uint64
	var damaged damage
	digest := func(row importer.Row) error {
		digests = append(digests, rows.digest(row))
		return ctx.Err()
	}
	noted := func(yield func(*importer.Mapped, error) bool) {
		for m, err := range in.rows(r.Ledger == nil, digest) {
			if err == nil {
				err = damaged.refuse(m)
			}
			if err == nil {
				p.note(m, days, &arrival)
				if r.Checker != nil {
					r.Checker.Note(m)
				}
				want(r.Placer, m)
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
	for rows, err := range inBatches(noted) {
		if err == nil && r.Ledger != nil {
			err = r.askAbout(ctx, rows, in, &arrival)
		}
		if err != nil {
			return err
		}
	}
	p.digests, p.Arrivals = append(p.digests, digests), append(p.Arrivals, arrival)
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
func (p *Plan) note(m *importer.Mapped, days map[importer.Date]int, a *importer.Arrival) {
	p.Rows++
	p.Trips += len(m.Trips)
	a.AddScope(m)
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

// askAbout asks the ledger about some rows of one input.
func (r *Run) askAbout(ctx context.Context, rows []*importer.Mapped, in *Input, arrival *importer.Arrival) error {
	known, err := r.Ledger.Look(ctx, r.Address, rows)
	if err != nil {
		return err
	}
	for i, m := range rows {
		r.Plan.present.Add(known[i].ID, &m.Key, importer.Proposal{Says: m.Says(), Trips: uint8(len(m.Trips)), Bare: m.Bare()}) //nolint:gosec // from one to three
		r.count(&judge.Wanted{Row: m, Arrival: arrival, Version: m.Row.Version, Workbook: in.Edited, Mapping: in.MappingHash}, &known[i], r.Options(in))
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

// Supersedes reports whether the files of the plan take the place of those of an older one, which
// are not imported then.
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

// compareArrivals decides which of the inputs are whole, and finds newer arrivals.
func (r *Run) compareArrivals(ctx context.Context) error {
	p := r.Plan
	p.addLive()
	p.Replaced = len(p.Arrivals) > 0
	for i := range p.Arrivals {
		a := &p.Arrivals[i]
		days := a.Days()
		if !r.Inputs[i].isArrival() || len(days) == 0 {
			p.Replaced = false
			continue
		}
		known, err := r.Ledger.Arrivals(ctx, a.Broker, days[0])
		if err != nil {
			return err
		}
		a.Stamp = judge.CountsAs(a, known)
		r.Inputs[i].Arrival.Stamp = a.Stamp
		if newer := judge.Older(a, p.Arrivals, known); newer != nil && (p.Newer == nil || newer.Newer(p.Newer)) {
			p.Newer = newer
		}
		p.Replaced = p.Replaced && judge.Replaced(a, p.Arrivals, known)
		if a.Whole || a.Cut {
			if err := r.compareWhole(ctx, a, known, r.Inputs[i].Mapper.Rules().Location); err != nil {
				return err
			}
		}
	}
	return nil
}

// addLive gives scopes that several of the files have the number of rows that all of them have
// there: the files of one command are one schedule.
func (p *Plan) addLive() {
	live := map[importer.Scope]int{}
	for _, a := range p.Arrivals {
		for _, s := range a.Scopes {
			live[importer.Scope{Day: s.Day, Pair: s.Pair}] += s.Live
		}
	}
	for i := range p.Arrivals {
		for n := range p.Arrivals[i].Scopes {
			s := &p.Arrivals[i].Scopes[n]
			s.Live = live[importer.Scope{Day: s.Day, Pair: s.Pair}]
		}
	}
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
	half, untold := judge.Whole(a, &judge.Scheduled{Rows: scheduled, Known: known, Files: p.Arrivals, Has: has, Now: r.Clock.Wall(zone), Zone: zone})
	p.Half, p.Untold = append(p.Half, half...), append(p.Untold, untold...)
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

// HasLive reports whether the files have the row of a word, and want it.
func (p *Plan) HasLive(word *importer.Word) bool {
	said, _ := p.present.Of(word)
	return said.Says == importer.SaysLive
}

// HasDay reports whether any trip is on the day.
func (p *Plan) HasDay(day importer.Date) bool {
	return slices.ContainsFunc(p.Dates, func(c importer.DateCount) bool { return c.Date == day })
}

// MainDate returns the day with the most trips, the earliest of several. Some trip must have a date.
func (p *Plan) MainDate() importer.Date {
	return slices.MaxFunc(p.Dates, func(a, b importer.DateCount) int { return a.Trips - b.Trips }).Date
}

// FirstDate returns the day of most trips. If no day has more than half of them, it is the first day that has
// at least a quarter as many as the largest: a few rows with a wrong date never count. It is the zero Date if
// no trip has a date.
func (p *Plan) FirstDate() importer.Date {
	most, all := 0, 0
	for _, d := range p.Dates {
		most, all = max(most, d.Trips), all+d.Trips
	}
	for _, d := range p.Dates { // in their order
		if d.Trips == most || 2*most <= all && !importer.IsStray(d.Trips, most) {
			return d.Date
		}
	}
	return importer.Date{}
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
