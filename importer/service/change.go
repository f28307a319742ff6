package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"tripimport/importer"
)

// Change changes properties of a booked trip, under the key of its provider. The answer
// says what happened. ReplyUnclear means that nothing is proved: the trip may be changed
// or not. The answer's message contains neither token nor key.
//
// It is ReplyForeign if the answer names another trip or rider, because the GUID may
// belong to another trip.
func (c *Client) Change(ctx context.Context, key importer.Secret, change importer.TripChange) importer.Reply {
	body, err := encodeChange(change, key)
	if err != nil {
		return importer.Reply{Kind: importer.ReplyRefused, Message: err.Error()}
	}
	return c.send(ctx, key, c.post("/v1/singletrip/withProperties", body), func(r reply) importer.Reply { return c.classifyChange(r, change) })
}

// encodeChange returns the body of a change. It returns an error, a sentence for a
// dispatcher, if any of the properties can't be sent: a change is never sent in part.
func encodeChange(change importer.TripChange, key importer.Secret) ([]byte, error) {
	if change.GUID == "" || len(change.Keys) == 0 {
		return nil, errors.New("there is no GUID or nothing to change, so nothing was sent")
	}

	var list []map[string]string
	values := wireValues(change.Trip)
	values["trip_type"] = map[importer.TripType]string{importer.WillCall: "1", importer.Appointment: "2", importer.Return: "3"}[change.Trip.Type]
	for _, k := range change.Keys {
		if values[k] == "" || !importer.Changeable(k) {
			return nil, fmt.Errorf("its %s can't be sent to the service, so nothing was changed", importer.PropertyName(k))
		}
		list = append(list, map[string]string{"Key": k, "Value": values[k]})
	}
	return encodeJSON(map[string]any{"trip_guid": change.GUID, "tp_api_key": key.Reveal(), "properties_to_change": list})
}

// classifyChange returns what a reply proves about a change.
func (c *Client) classifyChange(r reply, change importer.TripChange) importer.Reply {
	body, isJSON := parsedChange(r.body)
	other, oneGUID := c.otherGUID(body, change.GUID)
	others := other != "" || body.whose(change.TripID, change.RiderID, r.status) == anothers
	a := c.classified(r, others, func(a *importer.Reply) {
		if a.Message = c.unchanged(r, body, isJSON && oneGUID); a.Message == "" {
			a.Kind = importer.ReplyChanged
			a.Pickup, a.Dropoff = body.position(importer.FieldPickup, change), body.position(importer.FieldDropoff, change)
		}
	})
	if r.status == http.StatusNotFound && !others && isJSON && len(r.body) > 0 && r.bodyErr == nil {
		a.Kind, a.Message = importer.ReplyRefused, "the service does not know the trip's GUID: "+errorText(r)
	}
	return a
}

// unchanged says why a 200 that names no other trip does not prove the change; empty if it does. The
// contract does not show the body of a 200, so any JSON that does not report a failure counts as a
// success, and so does an empty body.
func (c *Client) unchanged(r reply, body levels, valid bool) string {
	_, depth := body.find(c.config.GUIDField)
	switch {
	case r.openEnded && len(r.body) == 0 || !valid:
		return "the service's answer to the change did not arrive whole, or can't be understood"
	case slices.ContainsFunc(body.downTo(depth), member.failedChange): // the depth of the trip
		return "the service's answer says that it failed, but not that the trip was left as it was: " + errorText(r)
	}
	return ""
}

// parsedChange returns the levels of a JSON object, or of the objects in a list. It
// treats any other value as the value of the fields "success" and "message". It returns
// false if the text is neither JSON nor empty.
func parsedChange(text []byte) (levels, bool) {
	if fields, err := parseObject(text); err == nil {
		return parsedBody(fields), true
	}
	body := append(parsedBody(fieldsIn(text)), nil)
	// The text may not be JSON, so it is added unchanged.
	body[0] = append(body[0], member{"success", text}, member{"message", text})
	return body, len(text) == 0 || json.Valid(text)
}

// fieldsIn returns the fields of all objects in a list; none if it is not a list.
func fieldsIn(value json.RawMessage) (fields []member) {
	var list []json.RawMessage
	_ = json.Unmarshal(value, &list) // fails if it is not a list
	for _, element := range list {
		object, _ := parseObject(element) // empty if it is not an object
		fields = append(fields, object...)
	}
	return fields
}

// otherGUID returns the GUID in an answer if it is not the GUID of our trip. It returns
// false if the answer has something else in place of a GUID, or two GUIDs.
func (c *Client) otherGUID(body levels, ours string) (string, bool) {
	values, _ := body.find(c.config.GUIDField)
	return agreedGUID(slices.DeleteFunc(values, func(v json.RawMessage) bool {
		var text string
		return json.Unmarshal(v, &text) == nil && importer.SameGUID(text, ours)
	}))
}

// failedChange reports whether the field says that the change failed: as in member.failed, in a list such as
// the results by property, or by a message with a word such as "refuse".
func (f member) failedChange() bool {
	text := strings.ToLower(string(f.value))
	has := func(word string) bool { return strings.Contains(text, word) }
	return f.failed() || slices.ContainsFunc(fieldsIn(f.value), member.failed) ||
		f.field == "message" && !slices.ContainsFunc([]string{"no error", "0 error", "without error"}, has) &&
			slices.ContainsFunc([]string{"error", "fail", "reject", "refuse", "denied", "invalid", "unable", "cannot", "can't", "not "}, has)
}

// position returns the position that the service gave to the pickup or the dropoff, if
// the change is about its place. A coordinate is missing if the answer has none.
func (body levels) position(side importer.Field, change importer.TripChange) (p importer.Position) {
	changed := slices.ContainsFunc(change.Keys, func(key string) bool {
		of, isPlace := importer.PlaceOf(key)
		return isPlace && of == side
	})
	events, _ := body.find(string(side))
	if !changed || len(events) != 1 {
		return p
	}
	var event struct {
		Place struct{ Latitude, Longitude json.Number } `json:"event_location"` // numbers, or texts as in a change
	}
	_ = json.Unmarshal(events[0], &event) // what can't be read is missing
	latitude, noLatitude := event.Place.Latitude.Float64()
	longitude, noLongitude := event.Place.Longitude.Float64()
	if noLatitude == nil && noLongitude == nil {
		p = importer.Position{Latitude: latitude, Longitude: longitude, HasLatitude: true, HasLongitude: true}
	}
	return p
}
