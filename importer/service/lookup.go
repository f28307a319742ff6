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

// A Lookup says where a service can be asked for a trip by our own id. The
// contract shows no such operation (section 4.4), so there is none by default:
// an office whose service has one configures it.
type Lookup struct {
	// Path is the request below the service's address, with {trip_id} and
	// {date} (2026-12-02) in the places of the trip's: /v1/trips?id={trip_id}.
	Path string
	// GUID is where the trip's GUID stands in the JSON answer, names and
	// numbers of array elements with dots between: trips.0.trip_guid.
	GUID string
}

// Check refuses a Lookup that could not work, in a plain sentence.
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

// LookUp asks the service for a trip and gives its GUID. Only a GUID proves
// anything: an answer without one, or an error, leaves the trip as unclear as it
// was, since a service may not find at once what it has just booked. It is one
// request, and safe to repeat.
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

// guidAt gives the GUID at a place of a JSON text; empty where there is none.
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
	if json.Unmarshal(value, &guid) != nil || !isGUID(guid) {
		return ""
	}
	return guid
}
