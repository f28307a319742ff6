package results

import (
	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Report lists the trips of some days for billing, in the order of their days: booked trips, trips that may be
// booked, and trips that were cancelled.
type Report []ReportLine

// A ReportLine is one trip. FundingSource is empty if the ledger does not know it.
type ReportLine struct {
	importer.Standing
	FundingSource string
}

// A ReportTotal counts trips.
type ReportTotal struct {
	// Days is the day of the trips, or "all".
	Days string
	// Cancelled and Unknown trips are not among Booked.
	Booked, Cancelled, Unknown int
}

// Add adds a trip if the service has it, may have it, or had it before it was cancelled.
func (r *Report) Add(t ReportLine) {
	if t.State.Taken() || t.State == importer.TripCancelled {
		*r = append(*r, t)
	}
}

// Totals returns the totals of the days, in order, and then that of all trips.
func (r Report) Totals() (totals []ReportTotal) {
	all := ReportTotal{Days: "all"}
	for i := range r {
		if day := r[i].Day.String(); len(totals) == 0 || totals[len(totals)-1].Days != day {
			totals = append(totals, ReportTotal{Days: day})
		}
		for _, total := range []*ReportTotal{&totals[len(totals)-1], &all} {
			switch r[i].State {
			case importer.TripBooked:
				total.Booked++
			case importer.TripCancelled:
				total.Cancelled++
			default:
				total.Unknown++
			}
		}
	}
	return append(totals, all)
}

// reportColumns are the columns of the trips.
func reportColumns() []column[*ReportLine] {
	return []column[*ReportLine]{
		textColumn(0, "Date", 12, func(t *ReportLine) string { return t.Day.String() }),
		textColumn(0, "Trip id", 22, (*ReportLine).ListedID),
		textColumn(0, "Way", 10, func(t *ReportLine) string { return t.Leg.String() }),
		textColumn(0, "Transportation provider", 26, func(t *ReportLine) string { return t.Account.Provider }),
		textColumn(0, "Funding source", 26, func(t *ReportLine) string { return t.FundingSource }),
		textColumn(0, seal.StatusHeader, 22, func(t *ReportLine) string { return t.State.String() }),
		textColumn(0, seal.GUIDHeader, 38, func(t *ReportLine) string { return t.GUID }),
	}
}

// Write writes the trips to a workbook for this user alone, and returns its name: path, or a
// similar name if path is taken.
func (r Report) Write(path string) (string, error) {
	return writeTables(path, nil, func(w *workbook) {
		t := newTable(w, "Trips", reportColumns())
		t.begin()
		for i := range r {
			t.put(t.cells(&r[i])...)
		}
		t.finishTable(len(t.columns), len(t.columns))
	})
}
