package mapping

import (
	"slices"

	"tripimport/importer"
)

// compare finds out what the leg may copy from the outbound: everything that has the same
// sources, with the events swapped.
func (m *legMaker) compare(outbound *legMaker) {
	ours, theirs := &m.spec, &outbound.spec
	m.likeOutbound = !m.perTrip && !outbound.perTrip &&
		ours.Pickup.locationSpec == theirs.Dropoff.locationSpec && ours.Dropoff.locationSpec == theirs.Pickup.locationSpec &&
		ours.BillableDistance == theirs.BillableDistance && ours.LinkedBy == theirs.LinkedBy &&
		slices.Equal(ours.AdditionalPassengers, theirs.AdditionalPassengers)
	for _, text := range m.texts {
		same := func(x textMaker) bool { return x.value.source == text.value.source }
		if !slices.ContainsFunc(outbound.texts, same) {
			m.ownTexts = append(m.ownTexts, text)
		}
	}
}

// copyOutbound copies the outbound with its events swapped. Times, id and ownTexts are
// left blank.
func (m *legMaker) copyOutbound(t, outbound *importer.Trip) {
	*t = *outbound
	t.Pickup, t.Dropoff = outbound.Dropoff, outbound.Pickup
	for _, e := range []*importer.Event{&t.Pickup, &t.Dropoff} {
		e.Appt, e.PickupTime = importer.DateTime{}, importer.DateTime{}
	}
	t.ID, t.Alias = "", ""
	for i := range m.ownTexts {
		*m.ownTexts[i].target(t) = ""
	}
}
