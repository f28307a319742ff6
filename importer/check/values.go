package check

import (
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// checkRequired reports missing values that the service requires, apart from
// addresses, coordinates and times.
func (tc *tripCheck) checkRequired() {
	t := tc.trip
	tc.requireValue(t.Provider, importer.FieldProvider, "value-missing", "there is no transportation provider",
		"name the provider, here or as a constant of the mapping")
	tc.requireValue(t.FundingSource, importer.FieldFundingSource, "value-missing", "there is no funding source",
		"name the payer, here or as a constant of the mapping")
	tc.requireValue(t.ID, importer.FieldTripID, "value-missing", "there is no trip id",
		"write the trip's id as the broker gives it")
	tc.requireValue(t.RiderID, importer.FieldRiderID, "value-missing", "there is no rider id",
		"write the rider's id as the service knows it, or add the rider to the riders list")
	tc.refuseNonID(t.ID, importer.FieldTripID)
	tc.refuseNonID(t.RiderID, importer.FieldRiderID)
	if tc.requireValue(t.SpaceType, importer.FieldSpaceType, "value-missing", "there is no space type",
		"say which space the rider needs, such as ambulatory or wheelchair") {
		tc.checkSpaceType(t.SpaceType, importer.FieldSpaceType)
	}

	if t.Type == importer.NoType && !tc.hasFault(importer.FieldTripType, pickupTime, dropoffAppt, pickupAppt) {
		tc.trip.Report("time-missing", "the row does not say whether this is an appointment, a return or a will call",
			"give the appointment time; for a return the pickup time; or mark the trip as a will call",
			importer.FieldTripType, dropoffAppt, pickupTime)
	}
}

// refuseNonID reports an id that is only a placeholder, such as a question mark.
func (tc *tripCheck) refuseNonID(id string, field importer.Field) {
	if id != "" && importer.StandsForNoID(id) && !tc.hasFault(field) {
		tc.trip.Report("id-unusable", quoted(id)+" is no id", "write the id; ask the broker for it if you do not have it", field)
	}
}

// requireValue reports whether there is a value. If not, it adds the problem,
// unless the field has a fault already.
func (tc *tripCheck) requireValue(value string, field importer.Field, code, message, fix string) bool {
	if value != "" && strings.TrimSpace(value) != "" {
		return true
	}
	if !tc.hasFault(field) {
		tc.trip.Report(code, message, fix, field)
	}
	return false
}

// checkSpaceType reports a code that the mapping cannot give.
func (tc *tripCheck) checkSpaceType(code string, field importer.Field) {
	if len(tc.rules.SpaceTypes) == 0 || slices.Contains(tc.rules.SpaceTypes, code) || tc.hasFault(field) {
		return
	}
	tc.trip.Report("space-type-unknown", quoted(code)+" is not one of the mapping's space types",
		"write one of "+strings.Join(tc.rules.SpaceTypes, ", ")+", or add the code to the mapping's table", field)
}

// checkPassengers checks the additional passengers: each entry needs a count of
// at least 1 and a space type.
func (tc *tripCheck) checkPassengers() {
	for _, r := range tc.trip.AdditionalRiders {
		if tc.hasFault(importer.FieldAdditional) {
			return
		}
		if r.Count < 1 {
			tc.trip.Report("number-unreadable", strconv.Itoa(r.Count)+" is not a possible number of additional passengers",
				"write 1 or more, or leave the cell empty", importer.FieldAdditional)
		}

		if strings.TrimSpace(r.SpaceType) == "" {
			tc.trip.Report("value-missing", "there is no space type for an additional passenger",
				"say which space the passenger needs, or correct the mapping", importer.FieldAdditional)
			continue
		}
		tc.checkSpaceType(r.SpaceType, importer.FieldAdditional)
	}
}
