package mapping

import (
	"slices"

	"tripimport/importer"
)

// compare finds out what the leg may take over from the outbound: what is made of the same
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

// takeOver fills in what the outbound has. Times, id and the texts of its own are blank.
func (m *legMaker) takeOver(t, outbound *importer.Trip) {
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
