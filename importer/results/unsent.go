package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// WriteUnsent writes a workbook of the schedules that were not sent, with a sheet for
// each transportation provider, for people who phone or fax the trips. UnsentFile has its
// name.
func (m *Morning) WriteUnsent(path string) (err error) {
	m.UnsentFile, err = writeTables(path, nil, func(w *workbook) { w.writeUnsent(m) })
	return err
}

// writeUnsent writes a sheet for each transportation provider with the trips to book and
// the trips to cancel.
func (w *workbook) writeUnsent(m *Morning) {
	providers := map[string][]OpenItem{}
	for _, t := range m.Unsent {
		providers[t.Trip.Provider] = append(providers[t.Trip.Provider], t)
	}
	isCancel := func(t OpenItem) bool { return t.Outcome.State == importer.CancelByHand }

	for n, provider := range slices.Sorted(maps.Keys(providers)) {
		l := w.newItemSheet(fmt.Sprint("Phone ", n+1), unsentColumns(w.styles))
		trips := providers[provider]
		sortItems(trips)
		slices.SortStableFunc(trips, func(a, b OpenItem) int { return importer.One(isCancel(a)) - importer.One(isCancel(b)) })
		book := len(trips)
		if i := slices.IndexFunc(trips, isCancel); i >= 0 {
			book = i
		}
		l.title(fmt.Sprintf("%s: not sent as of %s. Give these by phone or fax, and sign each: %s to book, %s to cancel. From %s.",
			cmp.Or(provider, "No provider named"), m.Made.Format("Mon Jan 2, 2006 15:04"), importer.Counted(book, "trip", "trips"), importer.Counted(len(trips)-book, "trip", "trips"), strings.Join(m.UnsentSchedules, ", ")))
		l.putHeader() // without the header of the key: nobody answers here, and nothing is read back
		for i := range trips {
			if i == book {
				l.title("CANCEL these:")
			}
			l.putItem(itemLine{OpenItem: &trips[i]}, "")
		}
		l.finish()
	}
}

// unsentColumns returns the columns of trips to phone.
func unsentColumns(st *styles) []column[itemLine] {
	return []column[itemLine]{
		itemText(st, seal.PickupHeader, 17, (*OpenItem).When),
		itemText(st, seal.RiderHeader, 18, func(i *OpenItem) string {
			return textLines(i.Passenger, i.Trip.RiderID, cmp.Or(i.Trip.Pickup.Phone, i.Trip.Phone))
		}),
		itemText(st, "From", 30, func(i *OpenItem) string { return textLines(i.Trip.Pickup.LocationName, i.Trip.Pickup.Address()) }),
		itemText(st, "To", 30, func(i *OpenItem) string { return textLines(i.Trip.Dropoff.LocationName, i.Trip.Dropoff.Address()) }),
		itemText(st, "Appointment", 13, func(i *OpenItem) string {
			if i.Trip.Dropoff.Appt.IsZero() {
				return ""
			}
			return i.Trip.Dropoff.Appt.TimeOfDay.String()
		}),
		itemText(st, "Space", 8, func(i *OpenItem) string { return i.Trip.SpaceType }),
		itemText(st, "Comment", 24, func(i *OpenItem) string { return i.Trip.Pickup.Comment }),
		itemText(st, seal.TripHeader, 18, func(i *OpenItem) string { return textLines(i.Trip.ID, i.Trip.Leg.String(), i.Outcome.GUID) }),
		{"Given to, at, signed", 24, func(itemLine) cell { return textCell(st.answer, "") }},
	}
}
