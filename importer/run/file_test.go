package run_test

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// A file is an input together with its mapping: mapped has what each of its rows
// is mapped to.
type file struct {
	name   string
	mapped []importer.Mapped
	rules  importer.Rules
	// rowsOf, where set, gives the rows of the nth reading instead.
	rowsOf  func(reading int) []importer.Mapped
	fail    func(reading, row int) error
	reading int
	// wide has a second cell in each row, since its trips may get other ids.
	wide bool
}

// newFile is a file of rows written like "A" (one trip), "A+B" (outbound and
// return) or "A+B+C". After an id, ! adds a fault to the trip, and @x links it with
// all other trips with @x.
// Before a row, - leaves it out, ~ leaves it out as cancelled, and ! adds a fault
// to the row as a whole.
func newFile(name string, rowTexts ...string) *file {
	f := &file{name: name, rules: importer.Rules{Location: time.UTC}}
	for i, text := range rowTexts {
		f.mapped = append(f.mapped, parseRow(text, i))
	}
	return f
}

func parseRow(text string, n int) importer.Mapped {
	var m importer.Mapped
	switch {
	case strings.HasPrefix(text, "-"):
		m.LeftOut = "turned back"
	case strings.HasPrefix(text, "~"):
		m.LeftOut, m.Cancelled = "cancelled", true
	case strings.HasPrefix(text, "!"):
		m.Problems = []importer.Problem{{Code: "ragged", Message: "the row has too many columns"}}
	}
	ids := strings.Split(strings.TrimLeft(text, "-~!"), "+")
	for i, id := range ids {
		leg := importer.OnlyLeg
		if len(ids) > 1 {
			leg = importer.OutboundLeg + importer.Leg(i)
		}
		m.Trips = append(m.Trips, parseTrip(id, n, leg))
	}
	return m
}

func parseTrip(id string, n int, leg importer.Leg) importer.Trip {
	t := importer.Trip{Leg: leg, Provider: "lakeshore transit", FundingSource: "Lakeshore Plan", SpaceType: "AMB", Type: importer.Appointment}
	if at := strings.Index(id, "@"); at >= 0 {
		t.Link = id[at+1:]
		id = id[:at]
	}
	if plain, ok := strings.CutSuffix(id, "!"); ok {
		id = plain
		t.Problems = []importer.Problem{{Code: "space-type-unknown", Message: "AMBX is not a space type of this mapping"}}
	}
	t.ID, t.RiderID = id, "rider of "+id
	t.Pickup = importer.Event{Address1: strconv.Itoa(100+n) + " Example Street", PickupTime: at("2026-12-02 09:00")}
	t.Dropoff = importer.Event{Address1: "1 Clinic Way", Appt: at("2026-12-02 10:00")}
	return t
}

// at reads a time in the form that DateTime prints.
func at(s string) importer.DateTime {
	when, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	return importer.DateTimeOf(when)
}

func (f *file) Name() string { return f.name }
func (f *file) Hash() string { return "hash of " + f.name }

// Rows hands out every row in the same memory, as a reader may.
func (f *file) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		mapped := f.mapped
		if f.rowsOf != nil {
			mapped = f.rowsOf(f.reading)
		}
		reading := f.reading
		f.reading++
		cells := make([]importer.Cell, 1, 2)
		if f.wide {
			cells = append(cells, importer.Cell{Type: importer.Text, Text: "-"})
		}
		for i := range mapped {
			if f.fail != nil {
				if err := f.fail(reading, i); err != nil {
					yield(importer.Row{}, err)
					return
				}
			}
			cells[0] = importer.Cell{Type: importer.Text, Text: rowText(&mapped[i])}
			if !yield(importer.Row{File: f.name, Num: i + 2, Cells: cells}, nil) {
				return
			}
		}
	}
}

func rowText(m *importer.Mapped) string {
	var ids []string
	for i := range m.Trips {
		ids = append(ids, m.Trips[i].ID)
	}
	return strings.Join(ids, "+")
}

func (f *file) Rules() *importer.Rules { return &f.rules }

func (f *file) RowIDs() importer.RowIDs { return importer.RowIDs{Broker: "Lakeshore", Columns: "id"} }

func (f *file) Map(row importer.Row, spare []importer.Trip) importer.Mapped {
	m := f.mapped[row.Num-2]
	m.Row = row
	m.Trips = append(spare[:0], m.Trips...)
	if len(m.Trips) > 0 && m.Key.ID == "" {
		m.Key = importer.RowKey{Broker: "Lakeshore", ID: m.Trips[0].ID, Date: m.Trips[0].Date()}
	}
	m.Problems = slices.Clone(m.Problems)
	for i := range m.Trips {
		m.Trips[i].Row = row.Ref(0)
		m.Trips[i].Problems = slices.Clone(m.Trips[i].Problems)
	}
	return m
}
