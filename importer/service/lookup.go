package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A Lookup describes an operation of the service that finds a trip by our trip
// id. The contract shows no such operation, so an office whose service has one
// configures it.
type Lookup struct {
	// Path is the path and query below the service's address. {trip_id} and
	// {date} are replaced by the trip's id and its date of service (2026-12-02):
	// /v1/trips?id={trip_id}.
	Path string
	// GUID is the path of the trip's GUID in the JSON reply: names, and numbers for
	// lists, with dots between them (trips.0.trip_guid). Whatever the number, it means
	// the element of the list that has our trip id.
	GUID string
}

// Check returns an error for a Lookup that cannot work, as a sentence for a
// dispatcher.
func (l Lookup) Check() error {
	switch {
	case !strings.HasPrefix(l.Path, "/") || strings.HasPrefix(l.Path, "//"):
		return errors.New("lookup_path must begin with one /: it is a path below the service's address")
	case !strings.Contains(l.Path, "{trip_id}"):
		return errors.New("lookup_path must have {trip_id} where the trip's id goes")
	case l.GUID == "":
		return errors.New("lookup_guid must say where the GUID stands in the answer, such as trips.0.trip_guid")
	}
	return nil
}

// LookUp asks the service for a trip and returns its GUID. It returns "" if the reply has
// no GUID together with our trip id, or several. Only a GUID proves anything: without
// one, and after an error, the trip may still be booked, because a service may not find
// at once what it has just booked. LookUp makes one request and is safe to repeat.
func (c *Client) LookUp(ctx context.Context, l Lookup, tripID string, date importer.Date) (guid string, err error) {
	token, err := c.Token(ctx)
	if err != nil {
		return "", err
	}

	path := strings.NewReplacer("{trip_id}", url.QueryEscape(tripID), "{date}", date.String()).Replace(l.Path)
	r := c.ask(ctx, path, token)
	switch {
	case r.err != nil:
		return "", fmt.Errorf("the service could not be asked for the trip: %s", c.reason(r.err))
	case r.status == http.StatusNotFound:
		return "", nil
	case r.status != http.StatusOK || isPage(r) || r.bodyErr != nil:
		return "", fmt.Errorf("the service gave no usable answer when it was asked for the trip (HTTP status %d)", r.status)
	}

	var guids []json.RawMessage
	c.collectGUIDs(r.body, strings.Split(l.GUID, "."), tripID, unnamed, &guids)
	guid, ok := agreedGUID(guids)
	if !ok {
		return "", nil
	}
	return guid, nil
}

// collectGUIDs adds the values at a path of a JSON value, if the objects on the way to
// them name our trip and no other one; see Lookup.GUID.
func (c *Client) collectGUIDs(value json.RawMessage, path []string, tripID string, of whose, guids *[]json.RawMessage) {
	if len(path) == 0 {
		if of == ours {
			*guids = append(*guids, value)
		}
		return
	}

	if _, err := strconv.Atoi(path[0]); err == nil {
		var list []json.RawMessage
		if json.Unmarshal(value, &list) == nil {
			if of == ours {
				of = unnamed // the element itself must name our trip
			}
			for _, element := range list {
				c.collectGUIDs(element, path[1:], tripID, of, guids)
			}
		}
		return
	}

	fields, err := parseObject(value)
	if err != nil {
		return
	}
	of = max(of, levels{fields}.compare(c.echo.tripField(), tripID, http.StatusOK))
	for _, f := range fields {
		if f.name == path[0] {
			c.collectGUIDs(f.value, path[1:], tripID, of, guids)
		}
	}
}
