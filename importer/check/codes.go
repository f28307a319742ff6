package check

import "tripimport/importer"

// The codes of the problems that the package reports. importer.Codes says what
// each means, how severe it is and whether a mapping may turn it.
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
	rowTwice        = "row-twice"
	tripIDRespelt   = importer.CodeTripIDRespelt
	doubleBooking   = importer.CodeDoubleBooking
)
