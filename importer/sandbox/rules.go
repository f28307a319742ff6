package sandbox

import (
	"math"
	"strings"
	"time"
)

// The layouts of a date and time.
const (
	fullLayout  = "2006-01-02 15:04:05.000"
	shortLayout = "2006-01-02 15:04"   // also for pickup_time, of will calls
	usLayout    = "01/02/2006 3:04 PM" // also for appt_time
)

// brokenRules returns a sentence for every rule that the trip breaks, nil if it
// keeps to all of them. The schema has validated each field by itself; these
// rules are about blank texts and about fields that must fit each other.
func (t *trip) brokenRules() []string {
	var broken []string
	for _, f := range []struct{ name, value string }{
		{"trip_id", t.ID},
		{"rider_id", t.RiderID},
		{"funding_source_name", t.FundingSource},
		{"space_type", t.SpaceType},
	} {
		if strings.TrimSpace(f.value) == "" {
			broken = append(broken, f.name+" is blank")
		}
	}

	broken = append(broken, t.Pickup.brokenRules("pickup")...)
	broken = append(broken, t.Dropoff.brokenRules("dropoff")...)
	if t.Dropoff.PickupTime != "" {
		broken = append(broken, "dropoff.pickup_time is read only")
	}
	return append(broken, t.times().brokenRules()...)
}

// brokenRules returns the rules that the event's address breaks: it is either
// complete_address or the separate fields, and of those only address2 may be
// missing.
func (e *event) brokenRules(name string) []string {
	l := e.Location
	parts := l.Address1 + l.Address2 + l.City + l.State + l.Zip
	switch {
	case e.CompleteAddress != "" && parts != "":
		return []string{name + " has both a complete address and a broken-out one"}
	case e.CompleteAddress != "":
		return nil
	case parts == "":
		return []string{name + " has no address"}
	case l.Address1 == "" || l.City == "" || l.State == "" || l.Zip == "":
		return []string{name + " has an address without address1, city, state or zip"}
	}
	return nil
}

// tripTimes holds a trip's type and times. They are in every state file, because
// the rules about them also hold after a change.
type tripTimes struct {
	Type        string `json:"trip_type"`
	PickupTime  string `json:"pickup_time,omitempty"`
	PickupAppt  string `json:"pickup_appt,omitempty"`
	DropoffAppt string `json:"dropoff_appt,omitempty"`
}

func (t *trip) times() tripTimes {
	return tripTimes{t.Type, t.Pickup.PickupTime, t.Pickup.ApptTime, t.Dropoff.ApptTime}
}

// timesOf returns the type and times among a trip's values.
func timesOf(values map[string]string) tripTimes {
	return tripTimes{values["trip_type"], values["pickup.pickup_time"], values["pickup.appt_time"], values["dropoff.appt_time"]}
}

// values is the inverse of timesOf.
func (t tripTimes) values() map[string]string {
	return map[string]string{"trip_type": t.Type, "pickup.pickup_time": t.PickupTime, "pickup.appt_time": t.PickupAppt, "dropoff.appt_time": t.DropoffAppt}
}

// brokenRules returns the rules that the times break: which times each trip
// type has, and that the pickup is not later than the appointment.
func (t tripTimes) brokenRules() []string {
	var broken []string
	add := func(bad bool, sentence string) {
		if bad {
			broken = append(broken, sentence)
		}
	}

	pickup, ok := parseTime(t.PickupTime, shortLayout)
	add(!ok, "pickup.pickup_time is not a date and time that can be")
	_, ok = parseTime(t.PickupAppt, usLayout)
	add(!ok, "pickup.appt_time is not a date and time that can be")
	appt, ok := parseTime(t.DropoffAppt, usLayout)
	add(!ok, "dropoff.appt_time is not a date and time that can be")

	switch readType(t.Type) {
	case willCall:
		add(t.PickupTime == "", "a will call needs pickup.pickup_time")
		add(!pickup.IsZero() && pickup.Format("15:04:05.000") != "23:59:00.000", "a will call has the pickup time 23:59")
	case appointment:
		add(t.DropoffAppt == "", "an appointment needs dropoff.appt_time")
	case returnTrip:
		add(t.PickupTime == "", "a return needs pickup.pickup_time")
		add(t.DropoffAppt != "" || t.PickupAppt != "", "a return has no appt_time")
	}
	if readType(t.Type) != willCall {
		_, short := parseLayout(t.PickupTime, shortLayout)
		add(short, "a pickup time without seconds is for will calls alone")
	}

	add(!pickup.IsZero() && !appt.IsZero() && pickup.After(appt), "the pickup time is later than the appointment time")
	return broken
}

// parseTime parses a date and time in the full layout or in the other layout
// that its field allows. An empty text is the zero time. It returns false for a
// text in neither layout, and for a date or time that does not exist.
func parseTime(text, otherLayout string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	if t, ok := parseLayout(text, fullLayout); ok {
		return t, true
	}
	return parseLayout(text, otherLayout)
}

func parseLayout(text, layout string) (time.Time, bool) {
	t, err := time.Parse(layout, text)
	return t, err == nil
}

// estimatedMiles returns the distance of a trip that was sent without one. The
// service asks a mapping service for it; the sandbox takes the straight line
// and adds a quarter.
func (t *trip) estimatedMiles() float64 {
	const earthRadius = 3958.8 // miles
	rad := func(deg float64) float64 { return deg * math.Pi / 180 }

	a, b := t.Pickup.Location, t.Dropoff.Location
	lat, lng := rad(b.Latitude-a.Latitude)/2, rad(b.Longitude-a.Longitude)/2
	h := math.Pow(math.Sin(lat), 2) + math.Cos(rad(a.Latitude))*math.Cos(rad(b.Latitude))*math.Pow(math.Sin(lng), 2)
	straight := 2 * earthRadius * math.Asin(math.Min(1, math.Sqrt(h)))
	return math.Round(straight*1.25*100) / 100
}
