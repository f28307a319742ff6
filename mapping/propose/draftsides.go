package propose

import (
	"fmt"
	"maps"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

// events writes the pickup and the dropoff. If no header says which of two places is the pickup, it asks.
func (w *draft) events() {
	here, there := w.unsided(importer.FieldPickup), w.unsided(importer.FieldDropoff)
	if here == nil || there == nil || here.Header == there.Header {
		w.event(importer.FieldPickup)
		w.event(importer.FieldDropoff)
		return
	}
	for _, name := range []importer.Field{importer.FieldPickup.Of(importer.FieldAddress1), importer.FieldDropoff.Of(importer.FieldAddress1)} {
		if f, ok := w.fields[name]; ok {
			street := *f.column
			street.name, f.column = w.wholeStreet(f.column), &street // with its own house number, wherever it is
			w.fields[name] = f
		}
	}
	ask := fmt.Sprintf("is the rider picked up at %q or at %q? if that differs by row, leave it open and write both with when:", here.Header, there.Header)
	w.ask(Question{Ask: ask, line: openLine("  pickup: {address: "+here.name+"}", ask), Choices: []Choice{
		{Text: fmt.Sprintf("at %q in all rows", here.Header), line: w.eventsWith(func(of, _ Field) Field { return of })},
		{Text: fmt.Sprintf("at %q in all rows", there.Header), line: w.eventsWith(func(_, other Field) Field { return other })},
	}})
}

// placeParts are the parts of an event that belong to its place, and not to the rider. The first say where it is.
func placeParts() []importer.Field {
	return append([]importer.Field{
		mapping.FieldAddress, importer.FieldAddress1, importer.FieldLocationName, importer.FieldPhoneNumber,
		importer.FieldLatitude, importer.FieldLongitude, mapping.FieldCoordinates,
	}, addressParts()...)
}

// unsided returns the column that says where an event is if its header names no side; nil for any other.
func (w *draft) unsided(side importer.Field) *column {
	for _, part := range placeParts()[:3] {
		if f, ok := w.fields[side.Of(part)]; ok && f.side() == "" {
			return f.column
		} else if ok {
			return nil
		}
	}
	return nil
}

// eventsWith returns the lines of both events with other columns for their places.
func (w *draft) eventsWith(place func(of, other Field) Field) string {
	sub := &draft{p: w.p, fields: maps.Clone(w.fields), used: w.used, spare: w.spare}
	for _, part := range placeParts() {
		a, b := importer.FieldPickup.Of(part), importer.FieldDropoff.Of(part)
		sub.fields[a], sub.fields[b] = place(w.fields[a], w.fields[b]), place(w.fields[b], w.fields[a])
	}
	maps.DeleteFunc(sub.fields, func(_ importer.Field, f Field) bool { return f.column == nil })
	sub.event(importer.FieldPickup)
	sub.event(importer.FieldDropoff)
	w.later = append(w.later, sub.questions...)
	return strings.TrimSuffix(sub.text.String(), "\n")
}
