package results

import (
	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Report lists the trips of some days for billing: booked trips, trips that may be
// booked, and trips that were cancelled.
type Report struct {
	Lines []ReportLine // in the order of their days
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
}

// A ReportTotal counts trips.
type ReportTotal struct {
	// Days is the day of the trips, or "all".
	Days string
	// Cancelled and Unknown trips are not among Booked.
	Booked, Cancelled, Unknown int
}

// Add adds a trip if the service has it, may have it, or had it before it was cancelled.
func (r *Report) Add(line ReportLine) {
	if line.State.Taken() || line.State == importer.TripCancelled {
		r.Lines = append(r.Lines, line)
	}
}

// Totals returns the totals of the days, in order, and then that of all trips.
func (r *Report) Totals() (totals []ReportTotal) {
	all := ReportTotal{Days: "all"}
	for i := range r.Lines {
		line := &r.Lines[i]
		if day := line.Date.String(); len(totals) == 0 || totals[len(totals)-1].Days != day {
			totals = append(totals, ReportTotal{Days: day})
		}
		totals[len(totals)-1].add(line)
		all.add(line)
	}
	return append(totals, all)
}

func (t *ReportTotal) add(line *ReportLine) {
	booked, cancelled := line.State == importer.TripBooked, line.State == importer.TripCancelled
	t.Booked += importer.One(booked)
	t.Cancelled += importer.One(cancelled)
	t.Unknown += importer.One(!booked && !cancelled)
}

// reportColumns are the columns of the trips.
func reportColumns() []column[ReportLine] {
	return []column[ReportLine]{
		textColumn(0, "Date", 12, func(line ReportLine) string { return line.Date.String() }),
		textColumn(0, "Trip id", 22, func(line ReportLine) string { return line.TripID }),
		textColumn(0, "Way", 10, func(line ReportLine) string { return line.Leg.String() }),
		textColumn(0, "Transportation provider", 26, func(line ReportLine) string { return line.Provider }),
		textColumn(0, "Funding source", 26, func(line ReportLine) string { return line.FundingSource }),
		textColumn(0, seal.StatusHeader, 22, func(line ReportLine) string { return line.State.String() }),
		textColumn(0, seal.GUIDHeader, 38, func(line ReportLine) string { return line.GUID }),
	}
}

// Write writes the trips to a workbook for this user alone, and returns its name: path, or a
// similar name if path is taken.
func (r *Report) Write(path string) (string, error) {
	return writeTables(path, nil, func(w *workbook) {
		t := newTable(w, "Trips", reportColumns())
		t.begin()
		for _, line := range r.Lines {
			t.put(t.cells(line)...)
		}
		t.finishTable(len(t.columns), len(t.columns))
	})
}
