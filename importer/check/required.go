package check

import (
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// required finds what the service can't do without (contract, section 4.2,
// rule 1), apart from coordinates and times.
func (f *finder) required() {
	t := f.trip
	f.present(t.Provider, importer.FieldProvider, providerMissing, "there is no transportation provider",
		"name the provider, here or as a constant of the mapping")
	f.present(t.FundingSource, importer.FieldFundingSource, fundingSourceMissing, "there is no funding source",
		"name the payer, here or as a constant of the mapping")
	f.present(t.ID, importer.FieldTripID, tripIDMissing, "there is no trip id",
		"write the trip's id as the broker gives it")
	f.present(t.RiderID, importer.FieldRiderID, riderIDMissing, "there is no rider id",
		"write the rider's id as the service knows it, or add the rider to the riders list")
	if f.present(t.SpaceType, importer.FieldSpaceType, spaceTypeMissing, "there is no space type",
		"say which space the rider needs, such as ambulatory or wheelchair") {
		f.spaceType(t.SpaceType, importer.FieldSpaceType)
	}
	if t.Type == importer.NoType && !f.faulty(importer.FieldTripType, pickupTime, dropoffAppt, pickupAppt) {
		f.report(tripTypeMissing, "it can't be told whether this is an appointment, a return or a will call",
			"give the appointment time; for a return the pickup time; or mark the trip as a will call",
			importer.FieldTripType, dropoffAppt, pickupTime)
	}
}

// present reports whether there is a value, and the fault where there is none.
func (f *finder) present(value string, field importer.Field, code, message, fix string) bool {
	if value != "" && strings.TrimSpace(value) != "" {
		return true
	}
	if !f.faulty(field) {
		f.report(code, message, fix, field)
	}
	return false
}

// spaceType holds a code against those that the mapping can give.
func (f *finder) spaceType(code string, field importer.Field) {
	if len(f.rules.SpaceTypes) == 0 || slices.Contains(f.rules.SpaceTypes, code) || f.faulty(field) {
		return
	}
	f.report(spaceTypeUnknown, shown(code)+" is not one of the mapping's space types",
		"write one of "+strings.Join(f.rules.SpaceTypes, ", ")+", or add the code to the mapping's table", field)
}

// passengers looks at the additional passengers (contract, section 2.6).
func (f *finder) passengers() {
	for _, r := range f.trip.AdditionalRiders {
		if f.faulty(importer.FieldAdditional) {
			return
		}
		if r.Count < 1 {
			f.report(passengerCount, strconv.Itoa(r.Count)+" is not a number of additional passengers",
				"write 1 or more, or leave the cell empty", importer.FieldAdditional)
		}
		if strings.TrimSpace(r.SpaceType) == "" {
			f.report(spaceTypeMissing, "there is no space type for an additional passenger",
				"say which space the passenger needs, or correct the mapping", importer.FieldAdditional)
			continue
		}
		f.spaceType(r.SpaceType, importer.FieldAdditional)
	}
}
