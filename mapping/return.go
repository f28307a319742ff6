package mapping

import "reflect"

// returnDefaults gives what the way back is made of before a mapping says otherwise: the
// events swapped whole, with their phones, and no time of the way there.
func (l legSpec) returnDefaults() legSpec {
	l.Pickup, l.Dropoff = l.Dropoff.withoutTimes(), l.Pickup.withoutTimes()
	l.TripType, l.WillCall, l.PickupOnly = nil, nil, text{}
	return l
}

func (e eventSpec) withoutTimes() eventSpec {
	e.PickupTime, e.ApptTime = nil, nil
	return e
}

// with gives l with everything that is different. An event that gets another
// address loses the whole of the old one: half of each would be a third place.
func (l legSpec) with(different legSpec) legSpec {
	for _, e := range []struct{ old, with *eventSpec }{{&l.Pickup, &different.Pickup}, {&l.Dropoff, &different.Dropoff}} {
		if e.with.hasAddress() {
			e.old.locationSpec = locationSpec{}
		}
	}
	overlay(reflect.ValueOf(&l).Elem(), reflect.ValueOf(different))
	return l
}

// hasAddress reports whether the event says where it is.
func (e eventSpec) hasAddress() bool {
	return e.CompleteAddress != nil || e.Address != nil || e.Address1 != nil || e.City != nil || e.Zip != nil
}

// overlay copies every field of from that is set.
func overlay(to, from reflect.Value) {
	for i := range from.NumField() {
		switch kind := from.Field(i).Type(); {
		case kind == reflect.TypeFor[eventSpec](), kind == reflect.TypeFor[locationSpec]():
			overlay(to.Field(i), from.Field(i))
		case from.Field(i).IsZero(), !to.Field(i).CanSet(): // unset, or a position
		default:
			to.Field(i).Set(from.Field(i))
		}
	}
}
