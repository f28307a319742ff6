package importer

import (
	"cmp"
	"fmt"
	"strings"
)

// Sentence describes a trip as a dispatcher would read it out: Wed Dec 2, 2026, 08:30,
// from 418 Larkmoor Ave, WCH, to Harbor Kidney Center for 09:30, paid by County
// Payer.
func (t *Trip) Sentence() string {
	var b strings.Builder
	day := "no date"
	if d := t.Date(); !d.IsZero() {
		day = d.Spoken()
	}
	b.WriteString(day + ", ")
	switch {
	case t.Type == WillCall:
		b.WriteString("will call")
	case !t.Pickup.PickupTime.IsZero():
		b.WriteString(t.Pickup.PickupTime.TimeOfDay.String())
	default:
		b.WriteString("no pickup time")
	}

	fmt.Fprintf(&b, ", from %s, %s", cmp.Or(whereabouts(t.Pickup), "(no address)"), cmp.Or(t.SpaceType, "no space type"))
	for _, r := range t.AdditionalRiders {
		fmt.Fprintf(&b, " + %d %s", r.Count, r.SpaceType)
	}
	fmt.Fprintf(&b, ", to %s", cmp.Or(whereabouts(t.Dropoff), "(no address)"))
	if !t.Dropoff.Appt.IsZero() {
		fmt.Fprintf(&b, " for %s", t.Dropoff.Appt.TimeOfDay)
	}
	fmt.Fprintf(&b, ", paid by %s, driven by %s (trip %s, rider %s)", t.FundingSource, t.Provider, t.ID, t.RiderID)
	return b.String()
}

// whereabouts returns the name and the address of an event, as far as they are known.
func whereabouts(e Event) string {
	name, address := cmp.Or(e.LocationName, e.Name), e.Address()
	if name == "" || address == "" {
		return name + address
	}
	return name + " (" + address + ")"
}
