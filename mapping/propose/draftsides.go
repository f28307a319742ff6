package propose

import (
	"fmt"
	"maps"
	"slices"

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
	kept, swapped := w.withPlaces(false), w.withPlaces(true)
	w.used, w.later = swapped.used, slices.Concat(w.later, kept.questions, swapped.questions)
	ask := fmt.Sprintf("is the rider picked up at %q or at %q? if that differs by row, leave it open and write both with when:", here.Header, there.Header)
	w.ask(Question{Ask: ask, line: openLine("  pickup: {address: "+here.name+"}", ask), Choices: []Choice{
		{Text: fmt.Sprintf("at %q in all rows", here.Header), line: kept.lines()},
		{Text: fmt.Sprintf("at %q in all rows", there.Header), line: swapped.lines()},
	}})
}

// unsided returns the column that says where an event is if its header names no side; nil for any other.
func (w *draft) unsided(side importer.Field) *column {
	for _, part := range []importer.Field{mapping.FieldAddress, importer.FieldAddress1, importer.FieldLocationName} {
		if f, ok := w.fields[side.Of(part)]; ok && f.side() == "" {
			return f.column
		} else if ok {
			return nil
		}
	}
	return nil
}

// withPlaces returns a draft of both events alone, with their places swapped or as they are. The rider's name, the notes
// and the times stay.
func (w *draft) withPlaces(swapped bool) *draft {
	sub := &draft{p: w.p, fields: maps.Clone(w.fields), used: maps.Clone(w.used), spare: w.spare}
	stay := []importer.Field{importer.FieldEventName, importer.FieldEventComment, importer.FieldPickupTime}
	for _, name := range mapping.FieldNames() {
		if event, part := name.Split(); swapped && event == importer.FieldPickup && !slices.Contains(stay, part) {
			other := importer.FieldDropoff.Of(part)
			sub.fields[name], sub.fields[other] = w.fields[other], w.fields[name]
		}
	}
	maps.DeleteFunc(sub.fields, func(_ importer.Field, f Field) bool { return f.column == nil })
	sub.event(importer.FieldPickup)
	sub.event(importer.FieldDropoff)
	return sub
}
