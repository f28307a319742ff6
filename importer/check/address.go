package check

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// checkAddress checks that the event has an address, in one of the two styles of
// the service (complete or in parts), and that none of its parts is missing.
func (tc *tripCheck) checkAddress(e *importer.Event, at importer.Field, state usps.State) {
	if e.CompleteAddress != "" {
		if e.Address1 != "" || e.Address2 != "" || e.City != "" || e.Zip != "" {
			tc.trip.Report("address-both-styles", quoted(e.CompleteAddress)+" is a complete address, and parts of an address are given as well",
				"map either the complete address or its parts", at)
		}
		return
	}

	if !e.HasAddress() {
		if !tc.hasFault(at, at.Of(importer.FieldCompleteAddress), at.Of(importer.FieldAddress1)) {
			tc.trip.Report("address-missing", "there is no address", "write the street, the city, the state and the ZIP", at)
		}
		return
	}

	tc.checkAddressParts(e, at)
	tc.checkStateAndZIP(e, at, state)
}

// checkAddressParts reports the missing parts of an address that is given in
// parts, as one problem.
func (tc *tripCheck) checkAddressParts(e *importer.Event, at importer.Field) {
	street := strings.Trim(e.Address1, "0123456789-") // a mapping may take the column of house numbers alone
	if street != "" && e.City != "" && e.State != "" && e.Zip != "" {
		return
	}

	var lacks []string
	var fields []importer.Field
	for _, part := range [...]struct {
		value string
		field importer.Field
		name  string
	}{
		{street, importer.FieldAddress1, "street"},
		{e.City, importer.FieldCity, "city"},
		{e.State, importer.FieldState, "state"},
		{e.Zip, importer.FieldZip, "ZIP"},
	} {
		if field := at.Of(part.field); part.value == "" && !tc.hasFault(field) {
			lacks = append(lacks, "no "+part.name)
			fields = append(fields, field)
		}
	}

	if lacks != nil {
		tc.trip.Report("address-incomplete", "the address "+quoted(e.Address())+" has "+strings.Join(lacks, " and "),
			"complete the address", fields...)
	}
}

// checkStateAndZIP checks the forms of the state and the ZIP, and that the ZIP is
// in the state.
func (tc *tripCheck) checkStateAndZIP(e *importer.Event, at importer.Field, state usps.State) {
	if !state.HasArea() && e.State != "" && !tc.hasFault(at.Of(importer.FieldState)) {
		tc.trip.Report("state-unknown", quoted(e.State)+" is not a state's two-letter code",
			"write the code, such as MI for Michigan", at.Of(importer.FieldState))
	}

	if e.Zip == "" {
		return
	}
	if !usps.IsZIP(e.Zip) {
		if tc.hasFault(at.Of(importer.FieldZip)) {
			return
		}
		tc.trip.Report("zip-shape", quoted(e.Zip)+" is not a ZIP", "write its five digits, or all nine; a leading 0 counts",
			at.Of(importer.FieldZip))
		return
	}

	if of := usps.ZIPState(e.Zip); state.HasArea() && of != "" && !strings.EqualFold(of, e.State) {
		tc.trip.Report("zip-not-in-state", "the ZIP "+e.Zip+" is in "+of+", and the address says "+e.State,
			"check which of the two is right", at.Of(importer.FieldZip), at.Of(importer.FieldState))
	}
}

// stateOf returns the state, district or territory with the two-letter code. It has no area
// for any other text, nor for the codes of the armed forces abroad.
func stateOf(code string) usps.State {
	if len(code) != 2 {
		return usps.State{}
	}
	state, _ := usps.StateOf(code)
	return state
}

// tailState returns the code of the state at the end of an address on one line
// ("…, Detroit, MI 48226"), as written there. It returns "" if there is none.
func tailState(address string) string {
	s := strings.TrimRight(address, " .,")
	if i := strings.LastIndexAny(s, " ,"); i > 0 && usps.IsZIP(s[i+1:]) {
		s = strings.TrimRight(s[:i], " .,")
	}

	i := strings.LastIndexAny(s, " ,")
	if i < 0 {
		return ""
	}

	if !stateOf(s[i+1:]).HasArea() {
		return ""
	}
	return s[i+1:]
}
