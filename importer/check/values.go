package check

import "tripimport/importer"

// checkRequired reports missing values that the service requires, apart from
// addresses, coordinates and times.
func (tc *tripCheck) checkRequired() {
	t := tc.trip
	tc.requireValue(t.Provider, importer.FieldProvider, "there is no transportation provider",
		"name the provider, here or as a constant of the mapping")
	tc.requireValue(t.FundingSource, importer.FieldFundingSource, "there is no funding source",
		"name the payer, here or as a constant of the mapping")
	tc.requireValue(t.ID, importer.FieldTripID, "there is no trip id",
		"write the trip's id as the broker gives it")
	tc.requireValue(t.RiderID, importer.FieldRiderID, "there is no rider id",
		"write the rider's id as the service knows it, or add the rider to the riders list")
	tc.refuseNonID(t.ID, importer.FieldTripID)
	tc.refuseNonID(t.RiderID, importer.FieldRiderID)
	tc.requireValue(t.SpaceType, importer.FieldSpaceType, "there is no space type",
		"say which space the rider needs, such as ambulatory or wheelchair")

	if t.Type == importer.NoType && !tc.hasFault(importer.FieldTripType, importer.PickupTime, importer.DropoffAppt) {
		tc.trip.Report("time-missing", "the row does not say whether this is an appointment, a return or a will call",
			"give the appointment time; for a return the pickup time; or mark the trip as a will call",
			importer.FieldTripType, importer.DropoffAppt, importer.PickupTime)
	}
}

// refuseNonID reports an id that is only a placeholder, such as a question mark.
func (tc *tripCheck) refuseNonID(id string, field importer.Field) {
	if id != "" && importer.StandsForNoID(id) && !tc.hasFault(field) {
		tc.trip.Report("id-unusable", quoted(id)+" is no id", "write the id; ask the broker for it if you do not have it", field)
	}
}

// requireValue reports a value that is missing, unless its field has a fault already.
func (tc *tripCheck) requireValue(value string, field importer.Field, message, fix string) {
	if value == "" && !tc.hasFault(field) {
		tc.trip.Report("value-missing", message, fix, field)
	}
}
