package mapping

import "tripimport/importer"

// Codes of the problems that a mapping finds. They are stable: mappings name
// them in rules:, and results files carry them.
const (
	codeCell          = "cell-error"            // the spreadsheet's own error, such as #N/A
	codeRagged        = "row-ragged"            // more or fewer fields than headers
	codeStatus        = "status-unknown"        // neither left out nor live
	codeFlag          = "flag-unknown"          // neither yes nor no
	codeExpression    = "expression-failed"     // can't be worked out for the row
	codeNotInTable    = "not-in-table"          // a code that the table does not have
	codeRider         = "rider-unknown"         // the riders table does not have the rider
	codeSpaceType     = "space-type-unknown"    // a space type that the table does not have
	codeShape         = "id-shape"              // an id that does not look like one
	codeDamaged       = "id-damaged"            // an id that a spreadsheet program has changed
	codeIDPart        = "id-part-missing"       // an id of several parts, one of them blank
	codeDateFormat    = "date-unreadable"       // not a date
	codeDateOrder     = "date-order-undeclared" // 3/4/2026
	codeDateWeekday   = "date-weekday"          // the weekday beside it is another
	codeDateTwo       = "date-contradicts"      // the time's cell has a date of its own
	codeDateMissing   = "date-missing"          // a time without a date
	codeTimeFormat    = "time-unreadable"       // not a time
	codeTimeRange     = "time-range"            // a span of time where one is wanted
	codeOffset        = "time-offset"           // an explicit offset that nobody declared
	codeWillCallTime  = "will-call-time"        // a time beside a will call is disregarded
	codeReturnTime    = "return-time-missing"   // a round trip without a time for the return
	codeReturnUnused  = "return-time-unused"    // a return time on a row that is no round trip
	codePickupOnly    = "pickup-only"           // a pickup time alone, and no rule for it
	codeTripType      = "trip-type-unknown"     // a word that is none of the types
	codeNumber        = "number-unreadable"     // a distance or coordinate
	codeCount         = "count-unreadable"      // a count of passengers
	codeZip           = "zip-restored"          // the ZIP's lost zero was put back
	codePhoneExtended = "phone-extension"       // the extension is not sent
)

// A reading is one row while it is turned into trips.
type reading struct {
	row      importer.Row
	bound    *Bound
	field    importer.Field // what is being filled
	leg      importer.Leg
	problems []importer.Problem
	// tripID and date are what templates may refer to.
	tripID string
	date   importer.Date
}

func (r *reading) fault(code, message, fix string, cols ...int) {
	r.report(importer.Fault, code, message, fix, cols...)
}

func (r *reading) notice(code, message, fix string, cols ...int) {
	r.report(importer.Notice, code, message, fix, cols...)
}

// report adds a problem at the cells of the columns; at the row as a whole
// where there are none.
func (r *reading) report(s importer.Severity, code, message, fix string, cols ...int) {
	p := importer.Problem{
		Code: code, Severity: s, Field: r.field, Leg: r.leg,
		Message: message, Fix: fix, Cells: r.refs(cols),
	}
	if turned, ok := r.bound.rules.Severities[code]; ok && turnable(code) {
		p.Severity = turned
	}
	r.problems = append(r.problems, p)
}

func (r *reading) refs(cols []int) []importer.Ref {
	var refs []importer.Ref
	seen := 0
	for _, col := range cols {
		if col == 0 || col == seen {
			continue
		}
		seen = col
		ref := r.row.Ref(col)
		ref.Header = r.bound.head.name(col)
		refs = append(refs, ref)
	}
	if refs == nil {
		refs = []importer.Ref{r.row.Ref(0)}
	}
	return refs
}

// turnable reports whether a mapping may turn the rule into the other kind.
// What could not be read can't be sent, whatever the mapping says.
func turnable(code string) bool {
	switch code {
	case codeWillCallTime, codeReturnUnused, codeZip, codePhoneExtended, codeDateWeekday, codeShape:
		return true
	}
	return false
}
