package check

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// event holds a pickup or a drop-off against the rules. Messages don't say
// which of the two it is: the cells do, and what both legs of a round trip have
// in common is then said once.
func (f *finder) event(e *importer.Event, at importer.Field) {
	f.address(e, at)
	f.position(e, at)
	f.phone(e.Phone, at, importer.FieldPhoneNumber)
}

// address wants one of the two styles, and that complete (contract, section
// 4.2, rule 2).
func (f *finder) address(e *importer.Event, at importer.Field) {
	if e.CompleteAddress != "" {
		if e.Address1 != "" || e.Address2 != "" || e.City != "" || e.Zip != "" {
			f.report(addressBoth, shown(e.CompleteAddress)+" is a complete address, and parts of an address stand beside it",
				"map either the complete address or its parts", at)
		}
		return
	}
	if !e.HasAddress() {
		if !f.faulty(at, at.Of(importer.FieldCompleteAddress), at.Of(importer.FieldAddress1)) {
			f.report(addressMissing, "there is no address", "write the street, the city, the state and the ZIP", at)
		}
		return
	}
	f.parts(e, at)
	f.region(e, at)
}

// parts finds what a broken-out address lacks, in one problem.
func (f *finder) parts(e *importer.Event, at importer.Field) {
	if e.Address1 != "" && e.City != "" && e.State != "" && e.Zip != "" {
		return
	}
	var lacks []string
	var fields []importer.Field
	for _, part := range [...]struct {
		value string
		field importer.Field
		name  string
	}{
		{e.Address1, importer.FieldAddress1, "street"},
		{e.City, importer.FieldCity, "city"},
		{e.State, importer.FieldState, "state"},
		{e.Zip, importer.FieldZip, "ZIP"},
	} {
		if field := at.Of(part.field); part.value == "" && !f.faulty(field) {
			lacks = append(lacks, "no "+part.name)
			fields = append(fields, field)
		}
	}
	if lacks != nil {
		f.report(addressIncomplete, "the address "+shown(e.Address())+" has "+strings.Join(lacks, " and "),
			"complete the address", fields...)
	}
}

// region looks at the shapes of state and ZIP, and whether they go together.
func (f *finder) region(e *importer.Event, at importer.Field) {
	_, stateKnown := stateArea(e.State)
	if !stateKnown && e.State != "" && !f.faulty(at.Of(importer.FieldState)) {
		f.report(stateUnknown, shown(e.State)+" is not a state's two-letter code",
			"write the code, such as MI for Michigan", at.Of(importer.FieldState))
	}
	if e.Zip == "" {
		return
	}
	if !usps.IsZIP(e.Zip) {
		if f.faulty(at.Of(importer.FieldZip)) {
			return
		}
		f.report(zipShape, shown(e.Zip)+" is not a ZIP", "write its five digits, or all nine; a leading 0 counts",
			at.Of(importer.FieldZip))
		return
	}
	if of := usps.ZIPState(e.Zip); stateKnown && of != "" && !strings.EqualFold(of, e.State) {
		f.report(zipState, "the ZIP "+e.Zip+" is in "+of+", and the address says "+e.State,
			"look which of the two is right", at.Of(importer.FieldZip), at.Of(importer.FieldState))
	}
}

// phone accepts a United States number: ten digits, a leading 1 or +1 aside, in
// any of the usual spellings, with or without an extension.
func (f *finder) phone(s string, of ...importer.Field) {
	if s == "" || isPhone(s) {
		return
	}
	field := of[0]
	if len(of) > 1 {
		field = of[0].Of(of[1])
	}
	if !f.faulty(field) {
		f.report(phoneShape, shown(s)+" is not a phone number that can be dialled",
			"write its ten digits, such as 313-555-0110", field)
	}
}

func isPhone(s string) bool {
	var number [11]byte
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			if n == len(number) {
				return false
			}
			number[n] = c
			n++
		case c == 'x' || c == 'X' || c == 'e' && strings.HasPrefix(s[i:], "ext"):
			return n >= 10 && isNumber(number[:n])
		case c == ' ' || c == '-' || c == '.' || c == '(' || c == ')' || c == '/':
		case c == '+' && n == 0:
		default:
			return false
		}
	}
	return isNumber(number[:n])
}

// isNumber holds the digits against the numbering plan: neither the area code
// nor the exchange begins with 0 or 1.
func isNumber(d []byte) bool {
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
	}
	return len(d) == 10 && d[0] >= '2' && d[3] >= '2'
}
