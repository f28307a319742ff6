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
	// GUID is the path of the trip's GUID in the JSON reply: names, and indexes
	// of lists from 0, with dots between them (trips.0.trip_guid).
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

// LookUp asks the service for a trip and returns its GUID, or "" if the reply has
// none. Only a GUID proves anything: without one, and after an error, the trip
// may still be booked, because a service may not find at once what it has just
// booked. LookUp makes one request and is safe to repeat.
func (c *Client) LookUp(ctx context.Context, l Lookup, tripID string, date importer.Date) (guid string, err error) {
	token, err := c.currentToken(ctx)
	if err != nil {
		return "", err
	}

	path := strings.NewReplacer("{trip_id}", url.QueryEscape(tripID), "{date}", date.String()).Replace(l.Path)
	r := c.do(ctx, http.MethodGet, path, token, nil)
	switch {
	case r.err != nil:
		return "", fmt.Errorf("the service could not be asked for the trip: %s", c.reason(r.err))
	case r.status == http.StatusNotFound:
		return "", nil
	case r.status != http.StatusOK || isPage(r) || r.bodyErr != nil:
		return "", fmt.Errorf("the service gave no usable answer when it was asked for the trip (HTTP status %d)", r.status)
	}
	return guidAtPath(r.body, l.GUID), nil
}

// guidAtPath returns the GUID at a path of a JSON text, "" if there is none; see
// Lookup.GUID.
func guidAtPath(body []byte, path string) string {
	value := json.RawMessage(body)
	for _, step := range strings.Split(path, ".") {
		if n, err := strconv.Atoi(step); err == nil {
			var list []json.RawMessage
			if json.Unmarshal(value, &list) != nil || n < 0 || n >= len(list) {
				return ""
			}
			value = list[n]
			continue
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil {
			return ""
		}
		value = object[step]
	}

	var guid string
	if json.Unmarshal(value, &guid) != nil {
		return ""
	}
	if _, ok := importer.ParseGUID(guid); !ok {
		return ""
	}
	return guid
}
