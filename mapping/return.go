package mapping

import "reflect"

// returnDefaults returns the return that a mapping without further settings has:
// the trip with its events swapped whole, phones included, and without its times.
func (l legSpec) returnDefaults() legSpec {
	l.Pickup, l.Dropoff = l.Dropoff.withoutTimes(), l.Pickup.withoutTimes()
	l.TripType, l.WillCall, l.PickupOnly = nil, nil, text{}
	return l
}

func (e eventSpec) withoutTimes() eventSpec {
	e.PickupTime, e.ApptTime = nil, nil
	return e
}

// with returns l, overridden by what differs. An event with another address keeps
// nothing of the old location, because half of each would be a third address.
func (l legSpec) with(differs legSpec) legSpec {
	for _, e := range []struct{ old, differs *eventSpec }{{&l.Pickup, &differs.Pickup}, {&l.Dropoff, &differs.Dropoff}} {
		if e.differs.hasAddress() {
			e.old.locationSpec = locationSpec{}
		}
	}
	overlay(reflect.ValueOf(&l).Elem(), reflect.ValueOf(differs))
	return l
}

// hasAddress reports whether the mapping gives the event an address.
func (l locationSpec) hasAddress() bool {
	return l.CompleteAddress != nil || l.Address != nil || l.Address1 != nil || l.City != nil || l.Zip != nil
}

// overlay copies every key of from that is given.
func overlay(to, from reflect.Value) {
	for i := range from.NumField() {
		switch kind := from.Field(i).Type(); {
		case kind == reflect.TypeFor[eventSpec](), kind == reflect.TypeFor[locationSpec]():
			overlay(to.Field(i), from.Field(i))
		case !from.Field(i).IsZero() && to.Field(i).CanSet(): // a position can't be set
			to.Field(i).Set(from.Field(i))
		}
	}
}
