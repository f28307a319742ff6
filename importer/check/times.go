package check

import (
	"fmt"

	"tripimport/importer"
)

// The fields of a trip's times.
const (
	pickupTime     = importer.FieldPickup + "." + importer.FieldPickupTime
	pickupAppt     = importer.FieldPickup + "." + importer.FieldApptTime
	dropoffAppt    = importer.FieldDropoff + "." + importer.FieldApptTime
	dropoffPickups = importer.FieldDropoff + "." + importer.FieldPickupTime
)

// times holds a trip's times against its type (contract, sections 2.5 and 4.2,
// rules 3 to 5).
func (f *finder) times() {
	t := f.trip
	switch t.Type {
	case importer.WillCall:
		f.willCall()
	case importer.Appointment:
		if t.Dropoff.Appt.IsZero() && !f.faulty(dropoffAppt) {
			f.report(appointmentMissing, "there is no appointment time",
				"write the appointment's date and time, or mark the trip as a return or a will call", dropoffAppt)
		}
	case importer.Return:
		f.isReturn()
	case importer.NoType:
	}
	if !t.Dropoff.PickupTime.IsZero() {
		f.report(dropoffPickupTime, "a drop-off can't have a pickup time of its own",
			"leave dropoff.pickup_time out of the mapping", dropoffPickups)
	}
	if t.Type != importer.WillCall {
		f.order(t.Dropoff.Appt, dropoffAppt)
		f.order(t.Pickup.Appt, pickupAppt)
		f.odd(t.Pickup.PickupTime, pickupTime, "pickup")
		f.odd(t.Dropoff.Appt, dropoffAppt, "appointment")
	}
	f.skipped(t.Pickup.PickupTime, pickupTime)
	f.skipped(t.Dropoff.Appt, dropoffAppt)
}

func (f *finder) willCall() {
	at := f.trip.Pickup.PickupTime
	switch {
	case at.IsZero():
		if !f.faulty(pickupTime) {
			f.report(willCallDateMissing, "the will call has no date", "write the date of the trip", pickupTime)
		}
	case at != importer.WillCallOn(at.Date):
		f.report(willCallTime, "a will call is known by a pickup time of 23:59, and this one has "+at.TimeOfDay.String(),
			"correct the mapping, so that its will calls have 23:59", pickupTime)
	}
	f.without(willCallAppointment, "a will call can't have an appointment time",
		"clear the appointment time, or don't mark the trip as a will call")
}

func (f *finder) isReturn() {
	if f.trip.Pickup.PickupTime.IsZero() && !f.faulty(pickupTime) {
		f.report(pickupTimeMissing, "the return has no pickup time",
			"write when the rider is ready, or mark the trip as a will call", pickupTime)
	}
	f.without(returnAppointment, "a return can't have an appointment time",
		"clear the appointment time, or make the trip an appointment")
}

// without reports an appointment on a trip of a type that has none.
func (f *finder) without(code, message, fix string) {
	if !f.trip.Dropoff.Appt.IsZero() {
		f.report(code, message, fix, dropoffAppt)
	}
	if !f.trip.Pickup.Appt.IsZero() {
		f.report(code, message, fix, pickupAppt)
	}
}

// order finds a pickup that is later than the appointment, or half a day
// earlier. Days count: a trip may go past midnight.
func (f *finder) order(appt importer.DateTime, field importer.Field) {
	const long = 12 * 60 // minutes
	at := f.trip.Pickup.PickupTime
	if at.IsZero() || appt.IsZero() {
		return
	}
	early := at.MinutesUntil(appt)
	switch {
	case at.Compare(appt) > 0:
		f.report(pickupAfterAppointment,
			fmt.Sprintf("the pickup at %s is later than the appointment at %s", clock(at, appt), clock(appt, at)),
			"correct one of the two; an appointment after midnight needs the next day's date", pickupTime, field)
	case early > long:
		f.report(pickupLongBefore,
			fmt.Sprintf("the pickup at %s is %d hours before the appointment at %s", clock(at, appt), early/60, clock(appt, at)),
			"look whether both are meant, morning or afternoon", pickupTime, field)
	}
}

// clock gives a time for a message, with its day where the other has another.
func clock(t, other importer.DateTime) string {
	if t.Date == other.Date {
		return t.TimeOfDay.String()
	}
	return t.String()
}

// odd finds times that stand for something else than a time.
func (f *finder) odd(at importer.DateTime, field importer.Field, what string) {
	if at.IsZero() {
		return
	}
	switch at.TimeOfDay {
	case importer.TimeOfDay{}:
		f.report(timeMidnight, "the "+what+" is at 00:00, which often stands for no time at all",
			"look whether midnight is meant; otherwise write the time, or mark the trip as a will call", field)
	case importer.WillCallOn(at.Date).TimeOfDay:
		if field == pickupTime {
			f.report(willCallUndeclared, "a pickup at 23:59 means a will call, and this trip is not marked as one",
				"mark the trip as a will call, or write the real pickup time", field)
		}
	}
}

// skipped finds a time that no clock of the schedule's zone shows.
func (f *finder) skipped(at importer.DateTime, field importer.Field) {
	if f.rules.Location == nil || at.IsZero() || f.faulty(field) {
		return
	}
	// Daylight saving begins in the small hours everywhere.
	if at.Hour > 4 {
		return
	}
	if _, exists := at.In(f.rules.Location); !exists {
		f.report(timeSkipped, at.String()+" does not exist: clocks go forward over it that night",
			"ask for the time that is meant", field)
	}
}

// days holds the trip's dates against today.
func (f *finder) days() {
	if f.checker.today.IsZero() {
		return
	}
	pickup, appt := f.trip.Pickup.PickupTime.Date, f.trip.Dropoff.Appt.Date
	f.day(pickup, pickupTime)
	if appt != pickup {
		f.day(appt, dropoffAppt)
	}
}

func (f *finder) day(d importer.Date, field importer.Field) {
	today := f.checker.today
	if d.IsZero() || d == today || f.faulty(field) {
		return
	}
	ahead := today.DaysUntil(d)
	if f.trip.Origin != nil && len(f.trip.Origin.Columns(importer.FieldDate)) > 0 {
		field = importer.FieldDate // the cell to mend is the day's
	}
	switch {
	case ahead < 0 && f.rules.AllowPast:
		f.trip.Notice(datePast, d.String()+" is past: today is "+today.String(), "look whether the date is meant", field)
	case ahead < 0:
		f.report(datePast, d.String()+" is past: today is "+today.String(),
			"correct the date, or leave the row out", field)
	case f.rules.MaxDaysAhead > 0 && ahead > f.rules.MaxDaysAhead:
		f.report(dateFar, fmt.Sprintf("%s is %d days off, and the mapping allows %d", d, ahead, f.rules.MaxDaysAhead),
			"correct the date; if it is meant, raise the mapping's limit", field)
	}
}

// after holds a later leg of the row against the one before it. Of a will call
// only the day is known.
func (f *finder) after(before *importer.Trip) {
	t := f.trip
	at, field := t.Pickup.PickupTime, pickupTime
	if at.IsZero() {
		at, field = t.Dropoff.Appt, dropoffAppt
	}
	from, what := before.Dropoff.Appt, "appointment"
	if from.IsZero() {
		from, what = before.Pickup.PickupTime, "pickup"
	}
	if at.IsZero() || from.IsZero() || f.faulty(field) {
		return
	}
	if before.Type == importer.WillCall {
		from.TimeOfDay = importer.TimeOfDay{}
	}
	switch {
	case at.Compare(from) < 0:
		f.report(returnEarly,
			fmt.Sprintf("the return at %s is before the outbound's %s at %s", clock(at, from), what, clock(from, at)),
			"correct the return time; if it is not known yet, make the return a will call", field)
	case at.Date != from.Date:
		f.report(returnOtherDay, fmt.Sprintf("the return is on %s, the outbound on %s", at.Date, from.Date),
			"look whether both dates are meant", field)
	}
}
