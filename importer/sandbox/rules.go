package sandbox

import (
	"math"
	"strings"
	"time"
)

// The forms of a date and time (contract, section 2.4).
const (
	fullLayout  = "2006-01-02 15:04:05.000"
	shortLayout = "2006-01-02 15:04"   // will calls
	usLayout    = "01/02/2006 3:04 PM" // appt_time
)

// rules holds a well-shaped trip against the rules that look at more than one
// field (contract, sections 2.4, 2.5 and 4.2), and gives all that it breaks.
func (t *trip) brokenRules() []string {
	var broken []string
	say := func(violations ...string) { broken = append(broken, violations...) }
	for _, f := range []struct{ name, value string }{
		{"trip_id", t.ID},
		{"rider_id", t.RiderID},
		{"funding_source_name", t.FundingSource},
		{"space_type", t.SpaceType},
	} {
		if strings.TrimSpace(f.value) == "" {
			say(f.name + " is blank")
		}
	}
	say(t.Pickup.brokenRules("pickup")...)
	say(t.Dropoff.brokenRules("dropoff")...)
	if t.Dropoff.PickupTime != "" {
		say("dropoff.pickup_time is read only")
	}
	return append(broken, t.times().brokenRules()...)
}

// addressRules: one style of address, and that one whole (4.2, rule 2). The
// second address line is the only part that not every address has.
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

// A times is what the rules about times look at, apart from all else: it is
// kept of every trip, since a later change must keep to the rules as well.
type tripTimes struct {
	Type        string `json:"trip_type"`
	PickupTime  string `json:"pickup_time,omitempty"`
	PickupAppt  string `json:"pickup_appt,omitempty"`
	DropoffAppt string `json:"dropoff_appt,omitempty"`
}

func (t *trip) times() tripTimes {
	return tripTimes{t.Type, t.Pickup.PickupTime, t.Pickup.ApptTime, t.Dropoff.ApptTime}
}

// rules: what each trip type carries, and that no pickup is later than its
// appointment (4.2, rules 3 to 5).
func (t tripTimes) brokenRules() []string {
	var broken []string
	say := func(bad bool, violation string) {
		if bad {
			broken = append(broken, violation)
		}
	}
	pickup, ok := parseTime(t.PickupTime, shortLayout)
	say(!ok, "pickup.pickup_time is not a date and time that can be")
	_, ok = parseTime(t.PickupAppt, usLayout)
	say(!ok, "pickup.appt_time is not a date and time that can be")
	appt, ok := parseTime(t.DropoffAppt, usLayout)
	say(!ok, "dropoff.appt_time is not a date and time that can be")

	switch readType(t.Type) {
	case willCall:
		say(t.PickupTime == "", "a will call needs pickup.pickup_time")
		say(!pickup.IsZero() && pickup.Format("15:04:05.000") != "23:59:00.000", "a will call has the pickup time 23:59")
	case appointment:
		say(t.DropoffAppt == "", "an appointment needs dropoff.appt_time")
	case returnTrip:
		say(t.PickupTime == "", "a return needs pickup.pickup_time")
		say(t.DropoffAppt != "" || t.PickupAppt != "", "a return has no appt_time")
	}
	if readType(t.Type) != willCall {
		_, short := parseLayout(t.PickupTime, shortLayout)
		say(short, "a pickup time without seconds is for will calls alone")
	}
	say(!pickup.IsZero() && !appt.IsZero() && pickup.After(appt), "the pickup time is later than the appointment time")
	return broken
}

// readClock reads a time in its full form, or in the other one that its field
// may have. Nothing at all is a zero time. It reports false for a time that no
// calendar or clock has.
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

// miles is the distance that the service calculates where none is given (4.2,
// rule 6). The real one asks a mapping service; a quarter more than the
// straight line stands for that.
func (t *trip) estimatedMiles() float64 {
	const earth = 3958.8
	rad := func(deg float64) float64 { return deg * math.Pi / 180 }
	a, b := t.Pickup.Location, t.Dropoff.Location
	lat, lng := rad(b.Latitude-a.Latitude)/2, rad(b.Longitude-a.Longitude)/2
	h := math.Pow(math.Sin(lat), 2) + math.Cos(rad(a.Latitude))*math.Cos(rad(b.Latitude))*math.Pow(math.Sin(lng), 2)
	straight := 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
	return math.Round(straight*1.25*100) / 100
}
