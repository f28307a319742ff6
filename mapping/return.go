package mapping

import "reflect"

// returnDefaults returns the return that a mapping without further settings has: the trip
// with its places swapped, phones included, and without its times. The names and notes of
// pickup and dropoff belong to the trip and stay.
func (l legSpec) returnDefaults() legSpec {
	l.Pickup.locationSpec, l.Dropoff.locationSpec = l.Dropoff.locationSpec, l.Pickup.locationSpec
	l.Pickup.PickupTime, l.Dropoff.ApptTime = nil, nil
	l.WillCall, l.PickupOnly = nil, text{}
	return l
}

// with returns l, overridden by what differs. An event with another address keeps
// nothing of the old location, because half of each would be a third address.
func (l legSpec) with(differs legSpec) legSpec {
	for _, e := range []struct{ old, differs *eventSpec }{{&l.Pickup.eventSpec, &differs.Pickup.eventSpec}, {&l.Dropoff.eventSpec, &differs.Dropoff.eventSpec}} {
		if e.differs.hasAddress() {
			e.old.locationSpec = locationSpec{}
		}
	}
	overlay(reflect.ValueOf(&l).Elem(), reflect.ValueOf(&differs).Elem())
	return l
}

// hasAddress reports whether the mapping gives the event an address.
func (l locationSpec) hasAddress() bool {
	return l.CompleteAddress != nil || l.Address != nil || l.Address1 != nil || l.City != nil || l.Zip != nil
}

// overlay copies every key of from that is given.
func overlay(to, from reflect.Value) {
	for _, key := range keysIn(from.Type()) {
		given, target := from.FieldByIndex(key.Index), to.FieldByIndex(key.Index)
		switch {
		case isGroup(given): // an event
			overlay(target, given)
		case !given.IsZero():
			target.Set(given)
		}
	}
}
