package importer

import (
	"context"
	"hash/maphash"
	"slices"
)

// An Input is a file with the mapping that is bound to its columns.
type Input struct {
	Source Source
	Mapper Mapper
	// MappingHash names the mapping's text in the ledger.
	MappingHash string
}

// A Pair is a provider and a funding source as the rows name them.
type Pair struct{ Provider, FundingSource string }

// A Plan is what the first pass over the files found: enough to ask the
// service and the places about, and to prove in the second pass that the files
// have not changed. It holds digests and ids, no rows.
type Plan struct {
	PlanSummary
	// Pairs are the providers and funding sources of the rows to be booked, in
	// the order of their first row.
	Pairs []Pair

	seed    maphash.Seed
	digests [][]uint64 // of each input's rows
	trips   []plannedTrip
	links   links
	// together reports that some journey must be valid as a whole.
	together bool
}

// A plannedTrip is what is kept of a trip to be booked, to ask the ledger for it.
type plannedTrip struct {
	pair int32
	id   string
}

// MakePlan reads every input to its end. Checker and Placer take note of what
// they need to know before the second pass; placer may be nil. The error is
// that of a Source, or the context's.
func MakePlan(ctx context.Context, inputs []Input, checker Checker, placer Placer) (*Plan, error) {
	d := &Plan{seed: maphash.MakeSeed(), links: newLinks()}
	pairs := map[Pair]int32{}
	days := map[Date]int{}
	for _, in := range inputs {
		var digests []uint64
		excel := savedByExcel{file: in.Source.Name()}
		for row, err := range in.Source.Rows() {
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			m := in.Mapper.Map(row)
			if err := excel.look(&m); err != nil {
				return nil, err
			}
			digests = append(digests, digest(d.seed, row))
			d.note(&m, pairs, days)
			checker.Note(&m, in.Mapper.Rules())
			if placer != nil && m.LeftOut == "" {
				for i := range m.Trips {
					placer.Want(&m.Trips[i])
				}
			}
		}
		d.digests = append(d.digests, digests)
	}
	for day, n := range days {
		d.Dates = append(d.Dates, DateCount{day, n})
	}
	slices.SortFunc(d.Dates, func(a, b DateCount) int { return a.Date.Compare(b.Date) })
	return d, nil
}

// note counts a row.
func (d *Plan) note(m *Mapped, pairs map[Pair]int32, days map[Date]int) {
	row := d.Rows
	d.Rows++
	d.Trips += len(m.Trips)
	if m.LeftOut != "" {
		return
	}
	for i := range m.Trips {
		t := &m.Trips[i]
		p := Pair{t.Provider, t.FundingSource}
		n, known := pairs[p]
		if !known && t.Provider != "" && t.FundingSource != "" {
			n = int32(len(d.Pairs))
			pairs[p] = n
			d.Pairs = append(d.Pairs, p)
		}
		if t.ID != "" && t.Provider != "" && t.FundingSource != "" {
			d.trips = append(d.trips, plannedTrip{n, t.ID})
		}
		if t.Date().IsZero() {
			d.Undated++
		} else {
			days[t.Date()]++
		}
		d.links.note(t.Link, row)
		d.together = d.together || t.Together
	}
}

// FirstDate gives the first day that any trip is on; zero where none is dated.
func (d *Plan) FirstDate() Date {
	if len(d.Dates) == 0 {
		return Date{}
	}
	return d.Dates[0].Date
}

// CountEarlier fills Plan.New and Plan.Earlier from the ledger. Trips that are
// left out are neither; those of an account that is not there count as new.
func (d *Plan) CountEarlier(ctx context.Context, l Ledger, a *AccountResolver) error {
	d.New, d.Earlier = d.Undated, 0
	for _, day := range d.Dates {
		d.New += day.Trips
	}
	for _, t := range d.trips {
		account, ok := a.account(d.Pairs[t.pair])
		if !ok {
			continue
		}
		rec, found, err := l.Find(ctx, account, &Trip{ID: t.id})
		if err != nil {
			return err
		}
		if found && rec.State == Created {
			d.New--
			d.Earlier++
		}
	}
	return nil
}

// digest tells rows apart, within one run of the program.
func digest(seed maphash.Seed, row Row) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	maphash.WriteComparable(&h, row.Num)
	last := len(row.Cells)
	for last > 0 && row.Cells[last-1].Type == Empty {
		last--
	}
	for _, c := range row.Cells[:last] {
		_ = h.WriteByte(byte(c.Type)) // never fails
		maphash.WriteComparable(&h, len(c.Text))
		_, _ = h.WriteString(c.Text) // never fails
	}
	return h.Sum64()
}
