package importer

// A Code is a kind of problem. Results and mappings use the codes, so a code never
// changes its meaning.
type Code struct {
	// Code is the value of Problem.Code.
	Code string
	// Stage is the part of the program that finds the problem.
	Stage Stage
	// Severity is the problem's severity unless a mapping sets another.
	Severity Severity
	// Turnable reports whether the rules of a mapping may make the fault a notice,
	// or the notice a fault. A fault is not turnable if the meaning of the row is
	// open or the service would refuse the trip.
	Turnable bool
	// Meaning describes the problem, for the reference.
	Meaning string
}

// A Stage is a part of the program that finds problems.
type Stage string

// The stages, in the order in which a row passes them.
const (
	StageFile    Stage = "file"    // reading the file
	StageMapping Stage = "mapping" // making trips of a row
	StageCheck   Stage = "check"   // checking the trips against the rules
	StagePlaces  Stage = "places"  // looking up coordinates
	StageRun     Stage = "run"     // comparing the trips with the account and the ledger
)

// Codes returns every kind of problem that the program reports, in the order of
// the reference. The caller may change the list.
func Codes() []Code {
	var all []Code
	for _, stage := range []struct {
		name  Stage
		codes []Code
	}{
		{StageFile, fileCodes()},
		{StageMapping, mappingCodes()},
		{StageCheck, checkCodes()},
		{StagePlaces, placesCodes()},
		{StageRun, runCodes()},
	} {
		for _, c := range stage.codes {
			c.Stage = stage.name
			all = append(all, c)
		}
	}
	return all
}

func fixedFault(code, meaning string) Code {
	return Code{Code: code, Severity: Fault, Meaning: meaning}
}

func fixedNotice(code, meaning string) Code {
	return Code{Code: code, Severity: Notice, Meaning: meaning}
}

func turnableFault(code, meaning string) Code {
	return Code{Code: code, Severity: Fault, Turnable: true, Meaning: meaning}
}

func turnableNotice(code, meaning string) Code {
	return Code{Code: code, Severity: Notice, Turnable: true, Meaning: meaning}
}

func fileCodes() []Code {
	return []Code{
		fixedNotice("misnamed", "a file whose name says another format than its content"),
		fixedNotice("encoding", "a text file that is not UTF-8, read in the encoding that its letters suggest"),
		fixedNotice("lost-characters", "a character that an earlier program could not read and replaced"),
		fixedNotice("html", "an HTML page, whose table is read as text"),
		fixedNotice("html-tables", "an HTML page with several tables, of which only the largest is read"),
		fixedNotice("macros-ignored", "a workbook with macros, of which only the cells are read"),
		fixedNotice("other-sheets", "a workbook with several sheets, of which only one is read"),
		fixedNotice("hidden-sheets", "hidden sheets, which are not read"),
		fixedNotice("hidden-rows", "hidden rows, which are read like the others"),
		fixedNotice("hidden-columns", "hidden columns, which are read like the others"),
		fixedNotice("not-calculated", "a formula without a result in the file, or in a workbook which says that its formulas were not calculated; a fault at each such cell that a trip needs"),
		fixedNotice("merged-cells", "cells merged over several rows, of which only the first row has the value"),
	}
}

func mappingCodes() []Code {
	return []Code{
		fixedFault("cell-error", "a cell that shows an error of the spreadsheet program, such as #N/A"),
		fixedFault("row-ragged", "a line with more or fewer fields than the headers"),
		fixedFault(CodeSecondTable, "the headers again with the columns at other places, where another table begins"),
		fixedFault("status-unknown", "a row that `live` does not take and that nothing leaves out"),
		fixedFault("flag-unknown", "a flag that is neither yes nor no"),
		fixedFault("expression-failed", "an expression that fails for the row"),
		fixedFault("not-in-table", "a value that the table does not have"),
		fixedFault("rider-unknown", "a rider whom the riders table does not have"),
		turnableFault("id-shape", "an id that does not have its declared shape"),
		fixedFault(CodeSavedByExcel, "an id that a spreadsheet program has changed, or a number of more than 15 digits, which it would have"),
		fixedFault("id-part-missing", "an id made of several cells, one of them empty"),
		fixedFault("date-unreadable", "a date that can't be read"),
		fixedFault("date-order-undeclared", "a date such as 3/4/2026 in a mapping that does not say which number is the month"),
		turnableFault("date-weekday", "a date beside a weekday that is not its own"),
		fixedFault("date-contradicts", "a date in the cell of the time that differs from the date's own cell"),
		fixedFault("date-missing", "a time without a date"),
		fixedFault("time-unreadable", "a time that can't be read"),
		fixedFault("time-range", "a range of times where the mapping does not say which end is meant"),
		fixedFault("time-offset", "a time with an offset from UTC in a mapping that does not say what it means"),
		fixedFault("pickup-only", "a trip with a pickup time alone in a mapping that does not say what that means"),
		fixedFault("trip-type-unknown", "a trip type that is none of the three"),
		fixedFault("return-time-missing", "a round trip without a time for the return"),
		fixedFault("number-unreadable", "a distance or a coordinate that is not a number"),
		fixedFault("count-unreadable", "a count of passengers that is not a whole number"),
		turnableNotice("will-call-time", "a time beside a will call, which is disregarded"),
		turnableNotice("return-time-unused", "a time for the return on a row that is no round trip"),
		turnableNotice("zip-restored", "a ZIP whose leading zero was put back"),
		turnableNotice("phone-extension", "a phone's extension, which is not sent"),
	}
}

func checkCodes() []Code {
	return []Code{
		fixedFault("provider-missing", "no transportation provider"),
		fixedFault("funding-source-missing", "no funding source"),
		fixedFault("trip-id-missing", "no trip id"),
		fixedFault("rider-id-missing", "no rider id"),
		fixedFault("space-type-missing", "no space type"),
		fixedFault("space-type-unknown", "a space type that the mapping's table or list does not have"),
		fixedFault("passenger-count", "a number of additional passengers below 1"),
		fixedFault("trip-type-missing", "neither an appointment, nor a return, nor a will call"),

		fixedFault("appointment-missing", "an appointment trip without its appointment time"),
		fixedFault("pickup-time-missing", "a return trip without its pickup time"),
		fixedFault("return-with-appointment", "a return trip with an appointment time"),
		fixedFault("will-call-date-missing", "a will call without its date"),
		fixedFault("will-call-not-2359", "a will call whose pickup time is not 23:59"),
		fixedFault("will-call-with-appointment", "a will call with an appointment time"),
		turnableFault("will-call-undeclared", "a pickup at 23:59, which means will call, on a trip that is not marked as one"),
		fixedFault("dropoff-pickup-time", "a pickup time on the drop-off, where the service sets it"),
		fixedFault("pickup-after-appointment", "a pickup later than the appointment"),
		turnableNotice("pickup-long-before-appointment", "a pickup more than 12 hours before the appointment"),
		turnableNotice("time-midnight", "a pickup or an appointment at 00:00, which often means that no time was given"),
		turnableFault("time-skipped", "a time that daylight saving skips"),
		turnableFault("date-past", "a date before today; a notice where the mapping allows past dates"),
		turnableFault("date-far", "a date further ahead than the mapping allows"),
		turnableFault("return-before-appointment", "a return before the outbound's appointment, or its pickup"),
		turnableNotice("return-on-another-day", "a return on another day than the outbound"),
		turnableNotice("leg-before-appointment", "a pickup before the appointment of the leg, on another row, that brings the rider there"),

		turnableFault("address-missing", "an event without an address"),
		fixedFault("address-both-styles", "an event with a complete address and a broken-out one"),
		turnableFault("address-incomplete", "a broken-out address without its street, city, state or ZIP"),
		turnableFault("state-unknown", "a state that is not one of the two-letter codes"),
		turnableFault("zip-shape", "a ZIP that is neither 5 nor 9 digits"),
		turnableNotice("zip-not-in-state", "a ZIP that belongs to another state"),
		fixedFault("position-missing", "no coordinates"),
		fixedFault("position-incomplete", "a latitude without a longitude, or the other way round"),
		fixedFault("position-zero", "a latitude or a longitude of 0"),
		fixedFault("position-out-of-range", "a latitude over 90 degrees or a longitude over 180, or no number"),
		fixedFault("position-swapped", "latitude and longitude swapped"),
		turnableFault("position-outside-area", "coordinates outside the area that the mapping allows"),
		turnableFault("position-outside-state", "coordinates outside the state of the address"),
		turnableNotice("position-same", "pickup and drop-off at the same coordinates"),
		fixedFault("distance-invalid", "a billable distance that is negative or not a number"),
		turnableFault("distance-too-long", "a billable distance far above the straight line"),
		turnableNotice("distance-too-short", "a billable distance below the straight line"),

		turnableNotice("phone-shape", "a phone number that is not ten digits of a United States number"),
		turnableFault("id-characters", "a trip id or rider id with invisible characters, or spaces around it"),
		turnableFault("id-too-long", "a trip id or rider id of more than 100 characters"),
		turnableNotice("text-characters", "a text with control or damaged characters"),
		turnableNotice("text-too-long", "a text of more than 2,000 characters"),

		fixedFault("trip-id-twice", "the same trip id on two rows, or two legs, with different content"),
		fixedFault("trip-id-cancelled", "the same trip id, or the same row, on a live row and on a cancelled one"),
		turnableNotice("trip-id-left-out", "the same trip id, or the same row, on a row that the mapping leaves out"),
		fixedFault("row-twice", "the same row on two rows that make other trips of it, as one trip and as a round trip"),
		turnableFault(CodeTripIDRespelt, "an id that differs only in case, zeros, spaces or punctuation from that of a trip of the same rider and day"),
		turnableFault(CodeDoubleBooking, "the same rider, places and time under two trip ids"),
	}
}

func placesCodes() []Code {
	return []Code{
		fixedFault("position-unknown", "an address without coordinates in the row or in any other source"),
		fixedFault("position-ambiguous", "an address for which the places list has lines with different coordinates"),
		fixedNotice("position-near", "an address that a geocoder matched only nearly, where the setting lets that through"),
	}
}

func runCodes() []Code {
	return []Code{
		fixedFault("provider-unknown", "a transportation provider that the account does not have"),
		fixedFault("funding-source-unknown", "a funding source that the account does not have for the provider"),
		fixedFault("trip-id-reused", "the id of a trip of another broker that is booked already"),
		fixedNotice("word-new", "a word that nobody has approved, in a column by which rows are booked or left out: the row waits for an answer"),
		fixedFault("row-booked-before", "a row that was booked before under another trip id"),
	}
}
