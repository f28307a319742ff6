package results

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/atomicfile"
	"tripimport/importer/results/seal"
)

// A ReportGroup says by which value the totals of a report are grouped.
type ReportGroup string

// The groups of a report's totals.
const (
	ByDay      ReportGroup = "day"
	ByProvider ReportGroup = "provider"
	ByPayer    ReportGroup = "payer"
)

// A Report lists the trips of some days for billing: booked trips, trips that may be
// booked, and trips that were cancelled.
type Report struct {
	By ReportGroup
	// Location is the zone in which instants are shown.
	Location *time.Location
	Lines    []ReportLine
}

// A ReportLine is one trip.
type ReportLine struct {
	Date     importer.Date
	TripID   string
	Leg      importer.Leg
	Provider string
	// FundingSource is empty if the ledger does not know it.
	FundingSource string
	State         importer.TripState
	GUID          string
	// Booked is when the service or a person said that the trip is booked, in the run
	// Run, and Changed when it was changed last; zero for never.
	Booked, Changed time.Time
	Run             string
	// ByHand reports that a person booked or changed the trip.
	ByHand bool
}

// A ReportTotal counts trips of one group.
type ReportTotal struct {
	// Group is a day, a provider or a funding source; "" for an unknown one.
	Group string
	// Booked counts all booked trips, and Changed and ByHand those among them that were
	// changed, and that a person booked or changed.
	Booked  int
	Changed int
	ByHand  int
	// Cancelled and Unknown trips are not among Booked.
	Cancelled int
	Unknown   int
}

// Add adds a trip if the service has it, may have it, or had it before it was cancelled.
func (r *Report) Add(line ReportLine) {
	if line.State.Taken() || line.State == importer.TripCancelled {
		r.Lines = append(r.Lines, line)
	}
}

// Totals returns the totals of the groups, in order, and the total of all trips.
func (r *Report) Totals() (groups []ReportTotal, all ReportTotal) {
	at := map[string]int{}
	for i := range r.Lines {
		line := &r.Lines[i]
		name := map[ReportGroup]string{ByDay: line.Date.String(), ByProvider: line.Provider, ByPayer: line.FundingSource}[r.By]
		if _, known := at[name]; !known {
			at[name] = len(groups)
			groups = append(groups, ReportTotal{Group: name})
		}
		groups[at[name]].add(line)
		all.add(line)
	}
	slices.SortFunc(groups, func(a, b ReportTotal) int { return cmp.Compare(a.Group, b.Group) })
	return groups, all
}

func (t *ReportTotal) add(line *ReportLine) {
	booked, cancelled := line.State == importer.TripBooked, line.State == importer.TripCancelled
	t.Booked += importer.One(booked)
	t.Changed += importer.One(booked && !line.Changed.IsZero())
	t.ByHand += importer.One(booked && line.ByHand)
	t.Cancelled += importer.One(cancelled)
	t.Unknown += importer.One(!booked && !cancelled)
}

// columns are the columns of the trips.
func (r *Report) columns() []column[ReportLine] {
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.In(r.Location).Format("2006-01-02 15:04")
	}
	text := func(header string, width float64, text func(ReportLine) string) column[ReportLine] {
		return column[ReportLine]{header, width, func(line ReportLine) cell { return textCell(0, text(line)) }}
	}
	return []column[ReportLine]{
		text("Date", 12, func(line ReportLine) string { return line.Date.String() }),
		text("Trip id", 22, func(line ReportLine) string { return line.TripID }),
		text("Way", 10, func(line ReportLine) string { return line.Leg.String() }),
		text("Transportation provider", 26, func(line ReportLine) string { return line.Provider }),
		text("Funding source", 26, func(line ReportLine) string { return line.FundingSource }),
		text(seal.StatusHeader, 22, func(line ReportLine) string { return line.State.String() }),
		text(seal.GUIDHeader, 38, func(line ReportLine) string { return line.GUID }),
		text("Booked", 18, func(line ReportLine) string { return at(line.Booked) }),
		text("By run", 26, func(line ReportLine) string { return line.Run }),
		text("Changed", 18, func(line ReportLine) string { return at(line.Changed) }),
		text("By hand", 10, func(line ReportLine) string { return map[bool]string{true: "yes"}[line.ByHand] }),
	}
}

// Write writes the report to a file for this user alone and returns its name: path, or a
// similar name if path is taken. CSV has only the trips.
func (r *Report) Write(path string, format Format) (string, error) {
	if format != CSV {
		return r.writeWorkbook(path)
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Discard() // does nothing once it has its name
	_, unwritten := file.WriteString(seal.UTF8BOM)
	out := newCSVWriter(file)
	columns := r.columns()
	_ = out.Write(csvHeader(columns)) // Error returns the errors
	for _, line := range r.Lines {
		_ = out.Write(csvTexts(columns, line))
	}
	out.Flush()
	if err := errors.Join(unwritten, out.Error()); err != nil {
		return "", err
	}
	return file.Commit(path)
}

// writeWorkbook writes the sheets Trips and Totals.
func (r *Report) writeWorkbook(path string) (string, error) {
	groups, all := r.Totals()
	all.Group = "all"
	count := func(header string, width float64, n func(ReportTotal) int) column[ReportTotal] {
		return column[ReportTotal]{header, width, func(t ReportTotal) cell { return numberCell(0, n(t)) }}
	}
	return writeTables(path, nil, func(w *workbook) {
		writeTable(w, "Trips", r.columns(), r.Lines)
		writeTable(w, "Totals", []column[ReportTotal]{
			{string(r.By), 26, func(t ReportTotal) cell { return textCell(0, cmp.Or(t.Group, "not known")) }},
			count("Booked", 10, func(t ReportTotal) int { return t.Booked }),
			count("of these changed", 18, func(t ReportTotal) int { return t.Changed }),
			count("of these by hand", 18, func(t ReportTotal) int { return t.ByHand }),
			count("Cancelled", 10, func(t ReportTotal) int { return t.Cancelled }),
			count("May be booked", 16, func(t ReportTotal) int { return t.Unknown }),
		}, append(groups, all))
	})
}
