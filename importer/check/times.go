package check

import (
	"fmt"

	"tripimport/importer"
)

// checkTimes checks that the trip has the times of its type: an appointment needs the
// appointment time, a return the pickup time, and a will call its day. The mapping gives no
// trip a time that its type must not have.
func (tc *tripCheck) checkTimes() {
	pickup, appt := tc.trip.Pickup.PickupTime, tc.trip.Dropoff.Appt
	switch tc.trip.Type {
	case importer.WillCall:
		tc.requireTime(pickup, importer.PickupTime, "date-missing", "the will call has no date", "write the date of the trip")
	case importer.Appointment:
		tc.requireTime(appt, importer.DropoffAppt, "time-missing", "there is no appointment time",
			"write the appointment's date and time, or mark the trip as a return or a will call")
	case importer.Return:
		tc.requireTime(pickup, importer.PickupTime, "time-missing", "the return has no pickup time",
			"write when the rider is ready, or mark the trip as a will call")
	case importer.NoType:
	}
	if tc.trip.Type != importer.WillCall {
		tc.checkPickupBefore(appt)
		tc.checkPlaceholderTime(pickup, importer.PickupTime, "pickup")
		tc.checkPlaceholderTime(appt, importer.DropoffAppt, "appointment")
	}
	tc.checkSkippedTime(pickup, importer.PickupTime)
	tc.checkSkippedTime(appt, importer.DropoffAppt)
}

// requireTime reports a time that is missing, unless its field has a fault already.
func (tc *tripCheck) requireTime(at importer.DateTime, field importer.Field, code, message, fix string) {
	if at.IsZero() && !tc.hasFault(field) {
		tc.trip.Report(code, message, fix, field)
	}
}

// checkPickupBefore reports a pickup later than the appointment, or more than 12
// hours before it. A pickup at the time of the appointment is neither. Dates
// count, since a trip may go past midnight.
func (tc *tripCheck) checkPickupBefore(appt importer.DateTime) {
	const long = 12 * 60 // minutes
	at := tc.trip.Pickup.PickupTime
	if at.IsZero() || appt.IsZero() {
		return
	}

	early := at.MinutesUntil(appt)
	switch {
	case at.Compare(appt) > 0:
		tc.trip.Report("pickup-after-appointment",
			fmt.Sprintf("the pickup at %s is later than the appointment at %s", timeFor(at, appt), timeFor(appt, at)),
			"correct one of the two; an appointment after midnight needs the next day's date", importer.PickupTime, importer.DropoffAppt)
	case early > long:
		tc.trip.Report("pickup-long-before-appointment",
			fmt.Sprintf("the pickup at %s is %d hours before the appointment at %s", timeFor(at, appt), early/60, timeFor(appt, at)),
			"check whether both are meant, morning or afternoon", importer.PickupTime, importer.DropoffAppt)
	}
}

// timeFor returns a time for a message, with its date if the other time in the
// message has another one.
func timeFor(t, other importer.DateTime) string {
	if t.Date == other.Date {
		return t.TimeOfDay.String()
	}
	return t.String()
}

// checkPlaceholderTime reports a time that often stands for something else: midnight for
// no time, and 23:59 for a will call.
func (tc *tripCheck) checkPlaceholderTime(at importer.DateTime, field importer.Field, what string) {
	if at.IsZero() {
		return
	}
	switch at.TimeOfDay {
	case importer.TimeOfDay{}:
		tc.trip.Report("time-midnight", "the "+what+" is at 00:00, which often means that no time was given",
			"check whether midnight is meant; otherwise write the time, or mark the trip as a will call", field)
	case importer.WillCallOn(at.Date).TimeOfDay:
		if field == importer.PickupTime {
			tc.trip.Report("will-call-undeclared", "a pickup at 23:59 means a will call, and this trip is not marked as one",
				"mark the trip as a will call, or write the real pickup time", field)
		}
	}
}

// checkSkippedTime reports a time that daylight saving skips in the schedule's
// zone.
func (tc *tripCheck) checkSkippedTime(at importer.DateTime, field importer.Field) {
	if tc.rules.Location == nil || at.IsZero() || tc.hasFault(field) {
		return
	}
	if at.Hour > 4 { // daylight saving begins earlier in the day everywhere
		return
	}

	if _, exists := at.In(tc.rules.Location); !exists {
		tc.trip.Report("time-skipped", at.String()+" does not exist: daylight saving begins that night and clocks skip it",
			"ask which time is meant", field)
	}
}

// checkDates checks that the trip's dates are neither past nor too far ahead.
func (tc *tripCheck) checkDates() {
	if tc.checker.today.IsZero() {
		return
	}

	pickup, appt := tc.trip.Pickup.PickupTime.Date, tc.trip.Dropoff.Appt.Date
	tc.checkDate(pickup, importer.PickupTime)
	if appt != pickup {
		tc.checkDate(appt, importer.DropoffAppt)
	}
}

// maxDaysAhead is the largest number of days after today that a trip may be.
const maxDaysAhead = 180

func (tc *tripCheck) checkDate(d importer.Date, field importer.Field) {
	today := tc.checker.today
	if d.IsZero() || d == today || tc.hasFault(field) {
		return
	}

	ahead := today.DaysUntil(d)
	if ahead >= 0 && ahead <= maxDaysAhead {
		return
	}

	if tc.trip.Origin != nil && len(tc.trip.Origin.Columns(importer.FieldDate)) > 0 {
		field = importer.FieldDate // the cell to fix is that of the date
	}

	switch {
	case ahead < 0:
		tc.trip.Report("date-past", d.String()+" is in the past: today is "+today.String(),
			"correct the date, or leave the row out", field)
	default:
		tc.trip.Report("date-far", fmt.Sprintf("%s is %d days ahead", d, ahead),
			"correct the date", field)
	}
}

// checkLegOrder reports a leg that begins on another day than the previous leg of the
// row, or before its appointment; if the previous leg has none, before its pickup. After
// a will call only the day is compared.
func (tc *tripCheck) checkLegOrder(before *importer.Trip) {
	t := tc.trip
	at, field := t.Pickup.PickupTime, importer.PickupTime
	if at.IsZero() {
		at, field = t.Dropoff.Appt, importer.DropoffAppt
	}

	from, what := before.Dropoff.Appt, "appointment"
	if from.IsZero() {
		from, what = before.Pickup.PickupTime, "pickup"
	}

	if at.IsZero() || from.IsZero() || tc.hasFault(field) {
		return
	}
	if before.Type == importer.WillCall {
		from.TimeOfDay = importer.TimeOfDay{}
	}

	switch {
	case at.Compare(from) < 0:
		tc.trip.Report("return-before-appointment",
			fmt.Sprintf("the return at %s is before the outbound's %s at %s", timeFor(at, from), what, timeFor(from, at)),
			"correct the return time; if it is not known yet, make the return a will call", field)
	case at.Date != from.Date:
		tc.trip.Report("return-on-another-day", fmt.Sprintf("the return is on %s, the outbound on %s", at.Date, from.Date),
			"check whether both dates are meant", field)
	}
}
