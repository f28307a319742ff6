package check

import "tripimport/importer"

// A Code is a rule, by the stable code of the problems it finds.
type Code struct {
	Code string
	// Severity is what the rule's problems are, unless a mapping turns them.
	Severity importer.Severity
	// Turnable reports whether a mapping may turn the rule into the other kind.
	// A trip that the service can't take, or that would be a second car, stays
	// a fault.
	Turnable bool
	// Meaning says what the rule finds, for the reference.
	Meaning string
}

// Codes gives every rule of the package, in the order of the reference.
func Codes() []Code {
	fixed := func(code, meaning string) Code { return Code{code, importer.Fault, false, meaning} }
	fault := func(code, meaning string) Code { return Code{code, importer.Fault, true, meaning} }
	notice := func(code, meaning string) Code { return Code{code, importer.Notice, true, meaning} }
	return []Code{
		fixed(providerMissing, "no transportation provider"),
		fixed(fundingSourceMissing, "no funding source"),
		fixed(tripIDMissing, "no trip id"),
		fixed(riderIDMissing, "no rider id"),
		fixed(spaceTypeMissing, "no space type"),
		fixed(spaceTypeUnknown, "a space type that the mapping does not list"),
		fixed(passengerCount, "a number of additional passengers below 1"),
		fixed(tripTypeMissing, "neither an appointment, nor a return, nor a will call"),

		fixed(appointmentMissing, "an appointment trip without its appointment time"),
		fixed(pickupTimeMissing, "a return trip without its pickup time"),
		fixed(returnAppointment, "a return trip with an appointment time"),
		fixed(willCallDateMissing, "a will call without its date"),
		fixed(willCallTime, "a will call whose pickup time is not 23:59"),
		fixed(willCallAppointment, "a will call with an appointment time"),
		fault(willCallUndeclared, "a pickup at 23:59, which means will call, on a trip that is none"),
		fixed(dropoffPickupTime, "a pickup time on the drop-off, where the service sets it"),
		fixed(pickupAfterAppointment, "a pickup later than the appointment"),
		notice(pickupLongBefore, "a pickup more than 12 hours before the appointment"),
		notice(timeMidnight, "a pickup or an appointment at 00:00, which often stands for no time at all"),
		fault(timeSkipped, "a time that daylight saving skips"),
		fault(datePast, "a date before today; a notice where the mapping allows past dates"),
		fault(dateFar, "a date further off than the mapping allows"),
		fault(returnEarly, "a return before the outbound's appointment, or its pickup"),
		notice(returnOtherDay, "a return on another day than the outbound"),
		notice(legEarly, "a pickup before the appointment of the leg, on another row, that brings the rider there"),

		fault(addressMissing, "an event without an address"),
		fixed(addressBoth, "an event with a complete address and a broken-out one"),
		fault(addressIncomplete, "a broken-out address without its street, city, state or ZIP"),
		fault(stateUnknown, "a state that is not one of the two-letter codes"),
		fault(zipShape, "a ZIP that is neither 5 nor 9 digits"),
		notice(zipState, "a ZIP that belongs to another state"),
		fixed(positionMissing, "no coordinates"),
		fixed(positionIncomplete, "a latitude without a longitude, or the other way round"),
		fixed(positionZero, "a latitude or a longitude of 0"),
		fixed(positionRange, "a latitude or a longitude that the globe does not have"),
		fixed(positionSwapped, "latitude and longitude exchanged"),
		fault(positionArea, "coordinates outside the mapping's area"),
		fault(positionState, "coordinates outside the state of the address"),
		notice(positionSame, "pickup and drop-off at one spot"),
		fixed(distanceInvalid, "a billable distance that is negative or no number"),
		fault(distanceLong, "a billable distance far above the straight line"),
		notice(distanceShort, "a billable distance below the straight line"),

		notice(phoneShape, "a phone number that is not ten digits of a United States number"),
		fault(idCharacters, "a trip id or rider id with characters that can't be seen, or spaces at its ends"),
		fault(idLong, "a trip id or rider id of more than 100 characters"),
		notice(textCharacters, "a text with control or damaged characters"),
		notice(textLong, "a text of more than 2,000 characters"),

		fixed(tripIDTwice, "the same trip id on two rows, or two legs, with different content"),
		fixed(tripIDCancelled, "the same trip id on a live row and on a cancelled one"),
		notice(tripIDLeftOut, "the same trip id on a row that the mapping leaves out"),
		fault(doubleBooking, "the same rider, places and time under two trip ids"),
	}
}

// The stable codes. They are part of results and mappings: a code is never
// given another meaning.
const (
	providerMissing      = "provider-missing"
	fundingSourceMissing = "funding-source-missing"
	tripIDMissing        = "trip-id-missing"
	riderIDMissing       = "rider-id-missing"
	spaceTypeMissing     = "space-type-missing"
	spaceTypeUnknown     = "space-type-unknown"
	passengerCount       = "passenger-count"
	tripTypeMissing      = "trip-type-missing"

	appointmentMissing     = "appointment-missing"
	pickupTimeMissing      = "pickup-time-missing"
	returnAppointment      = "return-with-appointment"
	willCallDateMissing    = "will-call-date-missing"
	willCallTime           = "will-call-not-2359"
	willCallAppointment    = "will-call-with-appointment"
	willCallUndeclared     = "will-call-undeclared"
	dropoffPickupTime      = "dropoff-pickup-time"
	pickupAfterAppointment = "pickup-after-appointment"
	pickupLongBefore       = "pickup-long-before-appointment"
	timeMidnight           = "time-midnight"
	timeSkipped            = "time-skipped"
	datePast               = "date-past"
	dateFar                = "date-far"
	returnEarly            = "return-before-appointment"
	returnOtherDay         = "return-on-another-day"
	legEarly               = "leg-before-appointment"

	addressMissing     = "address-missing"
	addressBoth        = "address-both-styles"
	addressIncomplete  = "address-incomplete"
	stateUnknown       = "state-unknown"
	zipShape           = "zip-shape"
	zipState           = "zip-not-in-state"
	positionMissing    = "position-missing"
	positionIncomplete = "position-incomplete"
	positionZero       = "position-zero"
	positionRange      = "position-out-of-range"
	positionSwapped    = "position-swapped"
	positionArea       = "position-outside-area"
	positionState      = "position-outside-state"
	positionSame       = "position-same"
	distanceInvalid    = "distance-invalid"
	distanceLong       = "distance-too-long"
	distanceShort      = "distance-too-short"

	phoneShape     = "phone-shape"
	idCharacters   = "id-characters"
	idLong         = "id-too-long"
	textCharacters = "text-characters"
	textLong       = "text-too-long"

	tripIDTwice     = "trip-id-twice"
	tripIDCancelled = "trip-id-cancelled"
	tripIDLeftOut   = "trip-id-left-out"
	doubleBooking   = "double-booking"
)
