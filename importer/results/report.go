package results

import (
	"cmp"
	"slices"
	"strconv"
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
// booked, and trips that were cancelled. Other trips are only counted.
type Report struct {
	From, To importer.Date
	By       ReportGroup
	// Location is the zone in which instants are shown.
	Location *time.Location
	Lines    []ReportLine
	// NotBooked counts the trips of the days that the service does not have.
	NotBooked int
	// Controls are the control totals of the runs that booked a trip of the report.
	Controls []RunControl
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

// A RunControl compares what a run booked with its control total.
type RunControl struct {
	Run     string    `json:"run"`
	Started time.Time `json:"started"`
	// Total is the number of trips that the run counted as booked. Within is the number
	// of trips that the ledger has on the days of the report, and OtherDays on other
	// days.
	Total     int `json:"control_total"`
	Within    int `json:"within"`
	OtherDays int `json:"other_days"`
	// BrokenOff reports that the run has no Total, because it did not reach its end.
	BrokenOff bool `json:"broken_off"`
}

// Balanced reports whether the control total agrees with the ledger.
func (c RunControl) Balanced() bool { return c.BrokenOff || c.Total == c.Within+c.OtherDays }

// A ReportTotal counts trips of one group.
type ReportTotal struct {
	// Group is a day, a provider or a funding source; "" for an unknown one.
	Group string `json:"group"`
	// Booked counts all booked trips, and Changed and ByHand those among them that were
	// changed, and that a person booked or changed.
	Booked  int `json:"booked"`
	Changed int `json:"changed"`
	ByHand  int `json:"by_hand"`
	// Cancelled and Unknown trips are not among Booked.
	Cancelled int `json:"cancelled"`
	Unknown   int `json:"unknown"`
}

// Balanced reports whether all control totals agree with the ledger.
func (r *Report) Balanced() bool {
	return !slices.ContainsFunc(r.Controls, func(c RunControl) bool { return !c.Balanced() })
}

// Add adds a trip if the service has it, may have it, or had it before it was cancelled.
// Otherwise it counts the trip as NotBooked.
func (r *Report) Add(line ReportLine) {
	if !line.State.Taken() && line.State != importer.TripCancelled {
		r.NotBooked++
		return
	}
	r.Lines = append(r.Lines, line)
}

// Runs returns the ids of the runs that booked the trips, in order.
func (r *Report) Runs() (ids []string) {
	for i := range r.Lines {
		if id := r.Lines[i].Run; id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
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
	one := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	booked, cancelled := line.State == importer.TripBooked, line.State == importer.TripCancelled
	t.Booked += one(booked)
	t.Changed += one(booked && !line.Changed.IsZero())
	t.ByHand += one(booked && line.ByHand)
	t.Cancelled += one(cancelled)
	t.Unknown += one(!booked && !cancelled)
}

// reportColumns are the columns of the trips, with their widths in a workbook.
func reportColumns() []tableColumn {
	return []tableColumn{
		{"Date", 12},
		{"Trip id", 22},
		{"Way", 10},
		{"Transportation provider", 26},
		{"Funding source", 26},
		{seal.StatusHeader, 22},
		{seal.GUIDHeader, 38},
		{"Booked", 18},
		{"By run", 26},
		{"Changed", 18},
		{"By hand", 10},
	}
}

// texts returns the texts of a trip for the columns.
func (r *Report) texts(line *ReportLine) []string {
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.In(r.Location).Format("2006-01-02 15:04")
	}
	byHand := ""
	if line.ByHand {
		byHand = "yes"
	}
	return []string{
		line.Date.String(), line.TripID, line.Leg.String(), line.Provider, line.FundingSource, line.State.String(), line.GUID,
		at(line.Booked), line.Run, at(line.Changed), byHand,
	}
}

// Write writes the report to a file for this user alone and returns its name: path, or a
// similar name if path is taken.
func (r *Report) Write(path string, format Format) (string, error) {
	if format != CSV {
		return r.writeWorkbook(path)
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return "", err
	}
	if err := r.writeCSV(file); err != nil {
		file.Discard()
		return "", err
	}
	return file.Commit(path)
}

// writeCSV writes only the trips.
func (r *Report) writeCSV(file *atomicfile.File) error {
	if _, err := file.WriteString(seal.UTF8BOM); err != nil {
		return err
	}
	out := newCSVWriter(file)
	var header []string
	for _, c := range reportColumns() {
		header = append(header, c.header)
	}
	_ = out.Write(header)
	for i := range r.Lines {
		_ = out.Write(escaped(r.texts(&r.Lines[i])))
	}
	out.Flush()
	return out.Error()
}

// writeWorkbook writes the sheets Trips, Totals and Runs.
func (r *Report) writeWorkbook(path string) (string, error) {
	w, err := createWorkbook(&Options{Path: path, MaxRows: importer.MaxRows}, nil)
	if err != nil {
		return "", err
	}
	defer w.abandon()

	var trips [][]cell
	for i := range r.Lines {
		trips = append(trips, textCells(r.texts(&r.Lines[i])...))
	}
	groups, all := r.Totals()
	all.Group = "all"
	var totals [][]cell
	for _, t := range append(groups, all) {
		cells := textCells(cmp.Or(t.Group, "not known"))
		for _, n := range []int{t.Booked, t.Changed, t.ByHand, t.Cancelled, t.Unknown} {
			cells = append(cells, numberCell(0, n))
		}
		totals = append(totals, cells)
	}
	var runs [][]cell
	for _, c := range r.Controls {
		cells := textCells(c.Run, c.Started.In(r.Location).Format("2006-01-02 15:04"))
		cells = append(cells, numberCell(0, c.Within), numberCell(0, c.OtherDays))
		runs = append(runs, append(cells, textCells(c.control(), c.verdict())...))
	}

	w.writeTable("Trips", reportColumns(), trips)
	w.writeTable("Totals", []tableColumn{
		{string(r.By), 26}, {"Booked", 10}, {"of these changed", 18}, {"of these by hand", 18}, {"Cancelled", 10}, {"May be booked", 16},
	}, totals)
	w.writeTable("Runs", []tableColumn{
		{"Run", 26}, {"Started", 18}, {"Booked for these days", 22}, {"for other days", 16}, {"Control total", 14}, {"", 24},
	}, runs)
	return w.saveTables()
}

// control returns the control total as it is shown.
func (c RunControl) control() string {
	if c.BrokenOff {
		return "-"
	}
	return strconv.Itoa(c.Total)
}

func (c RunControl) verdict() string {
	switch {
	case c.BrokenOff:
		return "broken off, it counted nothing"
	case c.Balanced():
		return "balances"
	}
	return "does NOT balance"
}
