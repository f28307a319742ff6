package run

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"tripimport/importer"
)

// An Input is a file with the mapping that is bound to its columns.
type Input struct {
	Source importer.Source
	Mapper importer.Mapper
	// MappingHash identifies the mapping in the ledger; it does not change with comments.
	// MappingText is the hash that an earlier version of the program stored, which does.
	MappingHash, MappingText string
}

// sameMapping reports whether a trip was booked with the mapping as it is now.
func (in *Input) sameMapping(rec *importer.Record) bool {
	return rec.MappingHash == in.MappingHash || rec.MappingHash == in.MappingText && in.MappingText != ""
}

// A Plan is the result of the first pass: the pairs and places to ask about, what the
// ledger had of each row, and digests that prove in the second pass that the files have
// not changed. It holds no rows.
type Plan struct {
	importer.PlanSummary
	// Pairs are the providers and funding sources of the rows to be booked, in
	// the order of their first row. Schedules have those of each input.
	Pairs     []importer.Pair
	Schedules []importer.Schedule

	seed    maphash.Seed
	digests [][]uint64 // of the rows, for each input
	again   int        // the number of trips in the ledger that came a second time
	links   linkCount
	// recorded is what the ledger had of each row, in the order of the rows.
	recorded []rowRecord
	// cancelled are the trips that the ledger had of cancelled rows, by the rows'
	// indices.
	cancelled map[int][]importer.Record
	// present are digests of the marks of the rows that are in the files. There are none
	// if no ledger was asked.
	present map[uint64]struct{}
	// together reports that some linked trips are sent together or not at all.
	together bool
}

// MakePlan reads every input to its end. It calls Checker.Note and Placer.Want, and asks
// the ledger of earlier about each row. placer and earlier may be nil. It returns an
// error of a Source or of the ledger, or the context's.
func MakePlan(ctx context.Context, inputs []Input, checker importer.Checker, placer importer.Placer, earlier *Earlier) (*Plan, error) {
	p := &Plan{seed: maphash.MakeSeed(), links: newLinkCount(), present: map[uint64]struct{}{}, cancelled: map[int][]importer.Record{}}
	days := map[importer.Date]int{}
	rows, m := digester{seed: p.seed}, importer.Mapped{}
	for _, in := range inputs {
		s := importer.Schedule{Input: in.Source.Hash()}
		pairs, ofInput := map[importer.Pair]bool{}, map[importer.Date]int{}
		var digests []uint64
		damaged := damagedIDs{file: in.Source.Name()}
		for row, err := range in.Source.Rows() {
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			m = in.Mapper.Map(row, m.Trips)
			if err := damaged.add(&m); err != nil {
				return nil, err
			}
			digests = append(digests, rows.digest(row))
			p.note(&m, pairs, ofInput, &s)
			if err := p.askEarlier(ctx, earlier, &m, in); err != nil {
				return nil, err
			}
			checker.Note(&m, in.Mapper.Rules())
			if placer != nil && m.LeftOut == "" && !m.Shifted() {
				for i := range m.Trips {
					placer.Want(&m.Trips[i])
				}
			}
		}
		p.digests = append(p.digests, digests)
		for day, n := range ofInput {
			days[day] += n
			s.Days = append(s.Days, day)
		}
		p.Schedules = append(p.Schedules, s)
	}

	for day, n := range days {
		p.Dates = append(p.Dates, importer.DateCount{Date: day, Trips: n})
	}
	slices.SortFunc(p.Dates, func(a, b importer.DateCount) int { return a.Date.Compare(b.Date) })
	return p, nil
}

// note counts a row. pairs, days and s are the pairs, the days and the schedule of its
// input so far.
func (p *Plan) note(m *importer.Mapped, pairs map[importer.Pair]bool, days map[importer.Date]int, s *importer.Schedule) {
	row := p.Rows
	p.Rows++
	p.Trips += len(m.Trips)
	if m.LeftOut != "" {
		return
	}

	for i := range m.Trips {
		t := &m.Trips[i]
		pair := importer.Pair{Provider: t.Provider, FundingSource: t.FundingSource}
		if !pairs[pair] && t.Provider != "" && t.FundingSource != "" {
			pairs[pair] = true
			s.Pairs = append(s.Pairs, pair)
			if !slices.Contains(p.Pairs, pair) {
				p.Pairs = append(p.Pairs, pair)
			}
		}
		switch {
		case !t.Date().IsZero():
			days[t.Date()]++
		case lacksDate(t):
			p.Undated++
		default:
			p.Untimed++
		}
		p.links.add(t.Link, row)
		p.together = p.together || t.Together
	}
}

// lacksDate reports whether the date of a trip can't be read. Otherwise only its time
// can't.
func lacksDate(t *importer.Trip) bool {
	return slices.ContainsFunc(t.Problems, func(p importer.Problem) bool { return strings.HasPrefix(p.Code, "date-") })
}

// LeaveOut subtracts copies of other trips from the counts of trips to be booked. copies
// counts them by their days.
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

// FirstDate returns the first day with a trip, or the zero Date if no trip has a date.
func (p *Plan) FirstDate() importer.Date {
	if len(p.Dates) == 0 {
		return importer.Date{}
	}
	return p.Dates[0].Date
}

// A digester makes digests of rows, which are comparable within one run of the program.
// It is for use by one goroutine.
type digester struct {
	seed maphash.Seed
	buf  []byte // reused
}

// digest returns a digest of the row's number and its cells.
func (d *digester) digest(row importer.Row) uint64 {
	last := len(row.Cells)
	for last > 0 && row.Cells[last-1].Type == importer.Empty {
		last--
	}

	b := binary.AppendUvarint(d.buf[:0], uint64(row.Num))
	for i := range row.Cells[:last] {
		c := &row.Cells[i]
		b = binary.AppendUvarint(append(b, byte(c.Type)), uint64(len(c.Text)))
		b = append(b, c.Text...)
	}
	d.buf = b
	return maphash.Bytes(d.seed, b)
}
