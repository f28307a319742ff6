package importer

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer/usps"
)

// A Property describes one value of a trip. TripProperties returns the only list
// of them. The ledger's comparison, the search for copies within a file, the
// messages and both forms on the wire are made from it.
type Property struct {
	// Field is the name of the property in mappings: "pickup.city".
	Field Field
	// Key is the name of the property in the service: the dotted key of the
	// change operation ("pickup.event_location.city") for a property that the
	// operation knows, otherwise the field of the insert operation.
	Key string
	// Name is the name of the property in messages: "pickup city".
	Name string
	// Number stands for the property in ledgers, so it never changes. No two properties
	// have the same one.
	Number uint8
	// Changeable reports that the service's change operation accepts the
	// property.
	Changeable bool
	// Identifying reports that two trips with the same id are different trips if
	// they differ in the property, rather than one trip that changed.
	Identifying bool
	// Informational reports that nobody has to act if the property of a booked trip
	// changes: it is a remark.
	Informational bool
	// OfBoth reports that two trips are compared in the property only if both have a
	// value, because the value may come from elsewhere than the row.
	OfBoth bool
	// Constant reports that a mapping may give the property one value for all rows. Any
	// other property is another in every row.
	Constant bool
	// Digits reports that its texts are digits, of which zeros at the beginning count: the cells of its columns are
	// texts in results.
	Digits bool
	// OfAccount reports that the property belongs to the account under which the
	// trip is booked. The ledger stores it with the account.
	OfAccount bool
	// Text returns where a trip has the property, if it is a plain text; it is nil for any
	// other.
	Text func(*Trip) *string

	comparable  func(text string) string         // nil: values are compared as they are
	appendValue func(dst []byte, t *Trip) []byte // nil for a text
}

// AppendValue appends the property's value in t to dst, in a form that is the same
// for trips that would be booked alike. It appends nothing if t has no value.
//
// Texts are as mapped. Dates and times have the form 2026-12-02 08:30, wall clock
// without a zone, with seconds only if they are not zero. Distances are in miles,
// in their shortest form. Coordinates have six decimals; there are none unless
// both are known and come from the row. Additional passengers have the form of
// the change operation, AMB|1;WCH|2, in the order of the mapping.
func (p *Property) AppendValue(dst []byte, t *Trip) []byte {
	if p.Text != nil {
		return append(dst, *p.Text(t)...)
	}
	return p.appendValue(dst, t)
}

// AppendComparable is AppendValue in the form in which a ledger compares values. Two
// spellings of an address have the same form.
func (p *Property) AppendComparable(dst []byte, t *Trip) []byte {
	if p.comparable == nil {
		return p.AppendValue(dst, t)
	}
	value := string(p.AppendValue(nil, t))
	if value == "" {
		return dst
	}
	return append(dst, p.comparable(value)...)
}

// A PropertyValue is a trip's value of the property with the key Property.Key.
type PropertyValue struct{ Key, Value string }

// tripProperties is the list that TripProperties returns. It is never written to.
var tripProperties = append(append(ownProperties(),
	eventProperties(FieldPickup, 20, func(t *Trip) *Event { return &t.Pickup })...),
	eventProperties(FieldDropoff, 40, func(t *Trip) *Event { return &t.Dropoff })...)

// TripProperties returns all properties of a trip, always in the same order. The
// caller must not change the list.
func TripProperties() []Property { return tripProperties }

// propertyOf returns the property with the key, or an empty one if there is none.
func propertyOf(key string) *Property {
	return cmp.Or(First(tripProperties, func(p *Property) bool { return p.Key == key }), &Property{})
}

// PropertyName returns the Name of the property with the key, or the key itself if
// there is none.
func PropertyName(key string) string { return cmp.Or(propertyOf(key).Name, key) }

// PropertyNames names the properties with the keys, for people. It leaves out the
// coordinates of an address that it names.
func PropertyNames(keys []string) string {
	named := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return WithAddress(key, keys) })
	return strings.Join(Each(named, PropertyName), ", ")
}

// WithAddress reports whether the key is that of a coordinate, and keys have a part of its address too.
func WithAddress(key string, keys []string) bool {
	side, _ := PlaceOf(key)
	return IsCoordinate(key) && slices.ContainsFunc(keys, func(other string) bool {
		same, ok := PlaceOf(other)
		return ok && same == side && !IsCoordinate(other)
	})
}

// Identifying reports whether one of the keys belongs to an identifying property.
func Identifying(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return propertyOf(key).Identifying })
}

// PropertyField returns the Field of the property with the key; empty if there is none.
func PropertyField(key string) Field { return propertyOf(key).Field }

// Constant reports whether a mapping may give the field one value for all rows.
func Constant(field Field) bool {
	return slices.ContainsFunc(tripProperties, func(p Property) bool { return p.Field == field && p.Constant })
}

// Changeable reports whether the service's change operation accepts the property with the
// key.
func Changeable(key string) bool { return propertyOf(key).Changeable }

// PlaceOf returns the side, pickup or dropoff, whose place the property with the key
// describes. It reports false for a property that is not part of an address and not a
// coordinate.
func PlaceOf(key string) (side Field, ok bool) {
	event, part, _ := strings.Cut(key, ".")
	return Field(event), part == "complete_address" || strings.HasPrefix(part, "event_location.")
}

// IsCoordinate reports whether the key belongs to a latitude or a longitude.
func IsCoordinate(key string) bool {
	return strings.HasSuffix(key, ".latitude") || strings.HasSuffix(key, ".longitude")
}

// PropertyObject returns the JSON object that has the values at their dotted keys, without those that
// are empty. Coordinates and the billable distance are numbers in it.
func PropertyObject(values map[string]string) map[string]any {
	object := map[string]any{}
	for key, text := range values {
		if text == "" {
			continue
		}
		in, names := object, strings.Split(key, ".")
		last := len(names) - 1
		for _, name := range names[:last] {
			if in[name] == nil {
				in[name] = map[string]any{}
			}
			in = in[name].(map[string]any)
		}
		in[names[last]] = text
		if IsCoordinate(key) || key == "billable_distance" {
			in[names[last]] = json.Number(text)
		}
	}
	return object
}

// Informational reports whether all of the keys belong to informational properties.
func Informational(keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return !propertyOf(key).Informational })
}

// Properties returns the trip's values in the order of TripProperties, without
// those that are empty or belong to the account.
func (t *Trip) Properties() []PropertyValue {
	values := make([]PropertyValue, 0, len(tripProperties))
	var buf [128]byte
	for i := range tripProperties {
		p := &tripProperties[i]
		if p.OfAccount {
			continue
		}
		if value := p.AppendValue(buf[:0], t); len(value) > 0 {
			values = append(values, PropertyValue{p.Key, string(value)})
		}
	}
	return values
}

// ownProperties returns the properties of the trip itself.
func ownProperties() []Property {
	return []Property{
		{
			Field: FieldProvider, Key: "tp_api_key", Number: 1, Name: "transportation provider", Constant: true, OfAccount: true,
			Text: func(t *Trip) *string { return &t.Provider },
		},
		{
			Field: FieldTripID, Key: "trip_id", Number: 2, Name: "trip id",
			Text: func(t *Trip) *string { return &t.ID },
		},
		{
			Field: FieldRiderID, Key: "rider_id", Number: 3, Name: "rider id", Identifying: true,
			Text: func(t *Trip) *string { return &t.RiderID },
		},
		{
			Field: FieldFundingSource, Key: "funding_source_name", Number: 4, Name: "funding source", Constant: true, Identifying: true,
			Text: func(t *Trip) *string { return &t.FundingSource },
		},
		{
			Field: FieldSpaceType, Key: "space_type", Number: 5, Name: "space type", Constant: true, Changeable: true,
			Text: func(t *Trip) *string { return &t.SpaceType },
		},
		{
			Field: FieldTripType, Key: "trip_type", Number: 6, Name: "trip type", Changeable: true,
			appendValue: func(dst []byte, t *Trip) []byte { return append(dst, t.Type.String()...) },
		},
		{
			Field: FieldPhone, Key: "phone", Number: 7, Name: "phone", Informational: true, Digits: true,
			Text: func(t *Trip) *string { return &t.Phone },
		},
		{
			Field: FieldBillableDistance, Key: "billable_distance", Number: 8, Name: "billable distance", Changeable: true, comparable: rounded(1),
			appendValue: func(dst []byte, t *Trip) []byte { return appendMiles(dst, t.BillableDistance) },
		},
		{
			Field: FieldAdditional, Key: "additional_passengers", Number: 9, Name: "additional passengers", Changeable: true,
			appendValue: func(dst []byte, t *Trip) []byte { return appendPassengers(dst, t.AdditionalRiders) },
		},
	}
}

// eventProperties returns the properties of a pickup or a dropoff. Their numbers are their places in the list, after
// first, so a new one comes last.
func eventProperties(side Field, first uint8, event func(*Trip) *Event) []Property {
	const place = "event_location."
	text := func(group string, field Field, name string, compared func(string) string, of func(*Event) *string) Property {
		return Property{
			Field: field, Key: group + string(field), Name: name, Changeable: true, comparable: compared,
			Text: func(t *Trip) *string { return of(event(t)) },
		}
	}
	value := func(group string, field Field, name string, compared func(string) string, add func([]byte, *Event) []byte) Property {
		return Property{
			Field: field, Key: group + string(field), Name: name, Changeable: true, comparable: compared,
			appendValue: func(dst []byte, t *Trip) []byte { return add(dst, event(t)) },
		}
	}
	list := []Property{
		text("", FieldEventName, "name", nil, func(e *Event) *string { return &e.Name }),
		text("", FieldEventComment, "comment", nil, func(e *Event) *string { return &e.Comment }),
		text("", FieldCompleteAddress, "address", usps.Comparable, func(e *Event) *string { return &e.CompleteAddress }),
		text(place, FieldLocationName, "location name", nil, func(e *Event) *string { return &e.LocationName }),
		text(place, FieldAddress1, "address line 1", usps.Comparable, func(e *Event) *string { return &e.Address1 }),
		text(place, FieldAddress2, "address line 2", usps.Comparable, func(e *Event) *string { return &e.Address2 }),
		text(place, FieldCity, "city", usps.Comparable, func(e *Event) *string { return &e.City }),
		text(place, FieldState, "state", nil, func(e *Event) *string { return &e.State }),
		text(place, FieldZip, "ZIP", usps.ComparableZIP, func(e *Event) *string { return &e.Zip }),
		value(place, FieldLatitude, "latitude", rounded(tenMeters), func(dst []byte, e *Event) []byte { return appendDegrees(dst, e.Position, e.Position.Latitude) }),
		value(place, FieldLongitude, "longitude", rounded(tenMeters), func(dst []byte, e *Event) []byte { return appendDegrees(dst, e.Position, e.Position.Longitude) }),
		value("", FieldApptTime, "appointment time", nil, func(dst []byte, e *Event) []byte { return e.Appt.appendTo(dst) }),
		value("", FieldPickupTime, "pickup time", nil, func(dst []byte, e *Event) []byte { return e.PickupTime.appendTo(dst) }),
		text("", FieldPhoneNumber, "phone number", digitsOf, func(e *Event) *string { return &e.Phone }),
	}

	for i := range list {
		p := &list[i]
		switch p.Field {
		case FieldEventComment:
			p.Changeable, p.Informational = false, true
		case FieldState:
			p.Constant = true
		case FieldLatitude, FieldLongitude:
			p.OfBoth = true
		case FieldZip, FieldPhoneNumber:
			p.Digits = true
		}
		p.Number = first + uint8(i) + 1 //nolint:gosec // there are few
		p.Field = side.Of(p.Field)
		p.Key = string(side) + "." + p.Key
		p.Name = string(side) + " " + strings.TrimPrefix(p.Name, "pickup ")
	}
	return list
}

func appendMiles(dst []byte, m Miles) []byte {
	if !m.Given {
		return dst
	}
	return strconv.AppendFloat(dst, m.Value, 'f', -1, 64)
}

// digitsOf returns the digits of a phone number without the country code 1, or the text
// itself if it has no digits.
func digitsOf(text string) string {
	digits := Digits(text)
	if len(digits) == 11 {
		digits = strings.TrimPrefix(digits, "1")
	}
	return cmp.Or(digits, text)
}

// Digits returns the digits of a text alone.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// tenMeters are the decimals of a coordinate to about 10 metres.
const tenMeters = 4

// rounded returns a function that rounds numbers to as many decimals, because exports of one trip round them
// differently.
func rounded(decimals int) func(text string) string {
	return func(text string) string {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return strconv.FormatFloat(number, 'f', decimals, 64)
	}
}

// appendPassengers appends the passengers as AMB|1;WCH|2.
func appendPassengers(dst []byte, riders []AdditionalRiders) []byte {
	entries := Each(riders, func(r AdditionalRiders) string { return r.SpaceType + "|" + strconv.Itoa(r.Count) })
	return append(dst, strings.Join(entries, ";")...)
}

// appendDegrees appends a coordinate if the position comes from the row.
func appendDegrees(dst []byte, p Position, degrees float64) []byte {
	if !p.IsSet() || p.Source != "" || math.IsNaN(degrees) {
		return dst
	}
	return strconv.AppendFloat(dst, degrees, 'f', 6, 64)
}

// SortKeys sorts keys of properties in the order of TripProperties.
func SortKeys(keys []string) {
	slices.SortFunc(keys, func(a, b string) int { return int(propertyOf(a).Number) - int(propertyOf(b).Number) })
}
