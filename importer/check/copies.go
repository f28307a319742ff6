package check

import (
	"cmp"

	"tripimport/importer"
)

// findDuplicates compares all rows after the first pass, and drops the notes.
func (c *Checker) findDuplicates() {
	n := &c.notes
	c.duplicates = duplicates{}

	n.trips.eachGroup(func(n *note) uint64 { return n.id }, c.duplicates.compareGroup)
	n.trips.eachGroup(func(n *note) uint64 { return n.row }, c.duplicates.compareRows)
	n.trips.eachGroup(func(n *note) uint64 { return n.identity }, c.duplicates.compareIdentities)
	c.copies = map[importer.Date]int{}
	for i := range int32(n.trips.len()) {
		if trip := n.trips.at(i); c.duplicates[trip.ref].copyOf != 0 {
			c.copies[trip.date.day()]++
		}
	}

	n.trips = nil
}

// Copies returns the number of trips on each day that are copies of others; trips without
// a day are under the zero Date. Check leaves copies out. Copies is called after the last
// Note.
func (c *Checker) Copies() map[importer.Date]int {
	c.compare.Do(c.findDuplicates)
	return c.copies
}

// leaveOutCopy sets LeftOut on a row all of whose trips are copies.
func (c *Checker) leaveOutCopy(m *importer.Mapped) bool {
	if len(c.duplicates) == 0 {
		return false
	}
	for i := range m.Trips {
		if c.duplicates[refOf(m.Row.Num, i)].copyOf == 0 {
			return false
		}
	}
	m.LeftOut = "copy of " + c.rowName(c.duplicates[refOf(m.Row.Num, 0)].copyOf, m.Row)
	return true
}

// rowName names another row in a message about the row from.
func (c *Checker) rowName(ref tripRef, from importer.Row) string {
	at := importer.Ref{Sheet: from.Sheet, Row: ref.row()}
	if !c.notes.lines {
		at.Shown = at.Row
	}
	return at.String()
}

// checkDuplicates reports where else the trip occurs in the files.
func (tc *tripCheck) checkDuplicates(trip int) {
	c := tc.checker
	if len(c.duplicates) == 0 {
		return
	}

	entry := c.duplicates[refOf(tc.row.Row.Num, trip)]
	where := func(ref tripRef) string { return c.rowName(ref, tc.row.Row) }

	id, sayIDs := quoted(tc.trip.ID), ""
	if tc.row.Key.IDs == importer.UnsaidIDs {
		sayIDs = "; if the broker uses an id again on other days, write ids: repeat in the mapping, otherwise ids: unique"
	}

	if other := cmp.Or(entry.sameID, entry.copyOf); other != 0 {
		tc.trip.Report("trip-id-twice", "the trip id "+id+" is also on "+where(other)+", with different content",
			"keep one of the two rows: ids that differ only in case, spaces, punctuation or leading zeros are one; if each is a leg, add the leg to trip_id in the mapping"+sayIDs, importer.FieldTripID)
	} else if entry.sameRow != 0 {
		tc.trip.Report("row-twice", "the same row is also on "+where(entry.sameRow)+", which makes other trips of it",
			"if each is a leg, add the column of the leg to trip_id in the mapping; if not, ask which of the two is right, and delete the other row", importer.FieldTripID)
	}

	if entry.cancelled != 0 {
		tc.trip.Report(importer.CodeTripIDCancelled, "trip "+id+" is cancelled on "+where(entry.cancelled),
			"if each is a leg, add the leg to trip_id in the mapping; if not, ask which of the two is right, and delete the other row"+sayIDs, importer.FieldTripID)
	}

	if entry.mayBe != 0 {
		tc.trip.Report(importer.CodeDoubleBooking, "possible double booking: "+where(entry.mayBe)+
			" has the same rider, places and time under another trip id",
			"keep one of the two rows; "+importer.AdviceMeant,
			importer.FieldRiderID, importer.PickupTime, importer.DropoffAppt)
	}
}
