package app_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"tripimport/importer"
)

// An order is a row of the schedule on one day. Its note tells the service, and
// nobody else, which order a trip is of.
type order struct {
	note, id, rider   string
	day               int // from Monday, 0
	pickup, appt, end int // minutes of the day; 0 for none
	from, to          place
	both, willCall    bool
	provider          string
	cancelled, gone   bool
	bare              bool // cancelled, and only its id is left
	replaces          bool // came in the place of a row that is gone
	phone             string
}

type place struct {
	name, street, city, zip string
	lat, lng                float64
}

var monday = importer.Date{Year: 2026, Month: time.December, Day: 7}

var columns = strings.Split("Trip ID,Rider ID,Provider,Funding Source,Space Type,Pickup Name,Pickup Address,Pickup City,Pickup State,Pickup ZIP,Pickup Latitude,Pickup Longitude,Pickup Notes,"+
	"Dropoff Name,Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Dropoff Latitude,Dropoff Longitude,Dropoff Notes,Date,Pickup Time,Appointment Time,Will Call,Round Trip,Return Time,Cancelled,Rider Phone", ",")

func rowOf(num int, texts []string) importer.Row {
	row := importer.Row{File: "schedule.csv", Num: num, Width: len(texts)}
	for _, text := range texts {
		cell := importer.Cell{Type: importer.Text, Text: text}
		if text == "" {
			cell = importer.Cell{}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// addRider adds what one rider has in the week.
func (w *week) addRider(n int, repeat bool) {
	home := place{"Home", fmt.Sprintf("%d Alder Ct", 10+n), "Westfield", "48111", 42.301 + float64(n)/1000, -83.401}
	clinic := place{"Clinic", "700 Bay Rd", "Westfield", "48111", 42.322, -83.412}
	shop := place{"Pharmacy", "12 Mill Rd", "Westfield", "48111", 42.331, -83.419}
	rider := fmt.Sprintf("R-%d-%d", w.n, n)
	begin := 15 * rapid.IntRange(24, 40).Draw(w.T, "begin")
	w.addOrders(rider, home, clinic, shop, begin, repeat)
	if rapid.IntRange(0, 4).Draw(w.T, "household") == 0 { // somebody else of the same house, to the same place at the same time
		w.addOrders(rider+"b", home, clinic, shop, begin, repeat)
	}
}

func (w *week) addOrders(rider string, home, clinic, shop place, begin int, repeat bool) {
	days := []int{0, 2, 4} // dialysis
	kind := rapid.IntRange(0, 5).Draw(w.T, "kind")
	switch kind {
	case 3, 4:
		days = []int{0, 1, 2, 3, 4} // radiotherapy
	case 5:
		days = []int{rapid.IntRange(0, 4).Draw(w.T, "day")}
	}
	ids := map[int]string{} // of a standing order, by what it is
	add := func(day, what int, o order) {
		o.id = ids[what]
		if o.id == "" || !repeat {
			o.id = w.id()
			ids[what] = o.id
		}
		o.rider, o.day, o.provider, o.note = rider, day, "Lakeshore Transit", fmt.Sprintf("order %d", len(w.orders))
		w.orders = append(w.orders, &o)
	}
	for _, day := range days {
		round := order{pickup: begin, appt: begin + 45, end: begin + 300, from: home, to: clinic, both: true}
		switch kind {
		case 0: // a row with both ways
			add(day, 0, round)
		case 1: // the rider calls for the way back
			round.end = 0
			add(day, 0, round)
		case 2: // each leg on a row of its own: there, on, and home
			add(day, 0, order{pickup: begin, appt: begin + 45, from: home, to: clinic})
			add(day, 1, order{pickup: begin + 240, from: clinic, to: shop})
			add(day, 2, order{pickup: begin + 270, from: shop, to: home})
		case 3, 4: // twice a day, hours apart
			round.end = begin + 90
			later := round
			later.pickup, later.appt, later.end = begin+300, begin+345, begin+390
			if kind == 4 {
				round.end, later.end = 0, 0
			}
			add(day, 0, round)
			add(day, 1, later)
		case 5: // one way, or home when the rider calls
			if rapid.Bool().Draw(w.T, "one way home") {
				add(day, 0, order{from: clinic, to: home, willCall: true})
			} else {
				add(day, 0, order{pickup: begin, appt: begin + 45, from: home, to: clinic})
			}
		}
	}
}

func clockText(minute int) string {
	if minute == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%02d", minute/60, minute%60)
}

func yes(b bool) string {
	if b {
		return "Yes"
	}
	return "No"
}

func (o *order) texts() []string {
	if o.bare {
		texts := make([]string, len(columns))
		texts[0], texts[slices.Index(columns, "Cancelled")] = o.id, "Yes"
		return texts
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	at := func(p place) []string {
		return []string{p.name, p.street, p.city, "MI", p.zip, number(p.lat), number(p.lng), o.note}
	}
	texts := []string{o.id, o.rider, o.provider, "Harborview Health", "AMB"}
	texts = append(append(texts, at(o.from)...), at(o.to)...)
	return append(texts, monday.AddDays(o.day).String(), clockText(o.pickup), clockText(o.appt), yes(o.willCall), yes(o.both), clockText(o.end), yes(o.cancelled), o.phone)
}

// rides names the rides of an order.
func (o *order) rides() []string {
	rides := []string{o.note + " from " + o.from.name}
	if o.both {
		rides = append(rides, o.note+" from "+o.to.name)
	}
	return rides
}

func rideOf(t *importer.Trip) string { return t.Pickup.Comment + " from " + t.Pickup.LocationName }

// A schedule is a file that the broker exported.
type schedule struct {
	name string
	rows []importer.Row
}
