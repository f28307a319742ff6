package mapping

import (
	"slices"

	"tripimport/importer"
)

// compare finds out what the leg may copy from the outbound: everything that has the same
// sources, with the places swapped.
func (m *legMaker) compare(outbound *legMaker) {
	ours, theirs := &m.spec, &outbound.spec
	m.likeOutbound = ours.Pickup.locationSpec == theirs.Dropoff.locationSpec && ours.Dropoff.locationSpec == theirs.Pickup.locationSpec &&
		ours.BillableDistance == theirs.BillableDistance && ours.LinkedBy == theirs.LinkedBy &&
		slices.Equal(ours.AdditionalPassengers, theirs.AdditionalPassengers)
	for _, text := range m.texts {
		same := func(x textMaker) bool { return x.value.source == text.value.source }
		if !slices.ContainsFunc(outbound.texts, same) {
			m.ownTexts = append(m.ownTexts, text)
		}
	}
}

// copyOutbound copies the outbound with its places swapped. Times, id and ownTexts are
// left blank.
func (m *legMaker) copyOutbound(t, outbound *importer.Trip) {
	*t = *outbound
	t.Pickup, t.Dropoff = outbound.Dropoff, outbound.Pickup
	t.Pickup.Name, t.Pickup.Comment = outbound.Pickup.Name, outbound.Pickup.Comment
	t.Dropoff.Name, t.Dropoff.Comment = outbound.Dropoff.Name, outbound.Dropoff.Comment
	for _, e := range []*importer.Event{&t.Pickup, &t.Dropoff} {
		e.Appt, e.PickupTime = importer.DateTime{}, importer.DateTime{}
	}
	t.ID, t.Alias = "", ""
	for i := range m.ownTexts {
		*m.ownTexts[i].target(t) = ""
	}
}
