package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"tripimport/importer"
)

// process validates and carries out a request. Without commit it books and
// changes nothing, but returns the same response.
func (s *Sandbox) process(req request, commit bool) *Response {
	switch req.operation {
	case Insert:
		return s.insert(req, commit)
	case Change:
		return s.change(req, commit)
	}
	return s.access()
}

// access lists the providers and funding sources. The contract spells
// TranportationProviderName without the s.
func (s *Sandbox) access() *Response {
	type source struct {
		ID   int    `json:"FundingSourceId"`
		Name string `json:"FundingSourceName"`
	}
	type provider struct {
		Key     string   `json:"APIKey"`
		Name    string   `json:"TranportationProviderName"`
		Sources []source `json:"FundingSources"`
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	list := []provider{}
	for _, p := range s.providers {
		one := provider{p.Key.Reveal(), p.Name, []source{}}
		for _, f := range p.FundingSources {
			one.Sources = append(one.Sources, source(f))
		}
		list = append(list, one)
	}
	return JSONResponse(http.StatusOK, list)
}

// insert books a trip.
func (s *Sandbox) insert(req request, commit bool) *Response {
	if violations := violations(s.schemas[Insert], req.body); violations != nil {
		return badData(violations)
	}
	values := valuesOf(req.body)
	broken := brokenTimes(values)

	s.mu.Lock()
	defer s.mu.Unlock()
	provider := s.providerByKey(req.body.field("tp_api_key"))
	named := func(f importer.FundingSource) bool { return f.Name == values["funding_source_name"] } // an exact match
	if provider == nil || !slices.ContainsFunc(provider.FundingSources, named) {
		return Refusal(http.StatusUnauthorized, "you have no access to this resource: the API key or the funding source is not among yours")
	}
	if broken != nil {
		return badData(broken)
	}

	answer := maps.Clone(req.body.value.(map[string]any)) // the schema has proved that it is an object
	delete(answer, "tp_api_key")
	guid := s.newGUID()
	if commit {
		stored := BookedTrip{
			GUID: guid, Provider: provider.Name, FundingSource: values["funding_source_name"], TripID: values["trip_id"], Values: values,
			Again: s.store.counts[[2]string{provider.Name, values["trip_id"]}],
		}
		s.commit(req, stored)
	}
	response := JSONResponse(http.StatusOK, answer)
	// The GUID comes first, so that an answer that breaks off may still have it.
	response.Body = append([]byte(`{"trip_guid":"`+guid+`",`), response.Body[1:]...)
	return response
}

// A changeBody is the body of a property change.
type changeBody struct {
	Key        string     `json:"tp_api_key"`
	GUID       string     `json:"trip_guid"`
	Properties []property `json:"properties_to_change"`
}

type property struct {
	Key   string `json:"Key"`
	Value string `json:"Value"`
}

// change changes properties of a booked trip. The contract does not show the response.
// The sandbox returns the whole trip as far as it is known, with the positions of its
// addresses.
func (s *Sandbox) change(req request, commit bool) *Response {
	if violations := violations(s.schemas[Change], req.body); violations != nil {
		return badData(violations)
	}
	var c changeBody
	_ = json.Unmarshal(req.body.text, &c) // the schema has proved that it can be read

	s.mu.Lock()
	defer s.mu.Unlock()
	provider := s.providerByKey(c.Key)
	stored, found := s.store.find(c.GUID)
	if provider == nil || found && stored.Provider != provider.Name {
		return Refusal(http.StatusForbidden, "the API key has no access to this resource")
	}
	if !found && s.config.Rehearsal && strings.HasPrefix(c.GUID, importer.RehearsedGUID) {
		stored.GUID, stored.Provider, found = c.GUID, provider.Name, true
	}
	if !found || stored.Cancelled {
		return badData([]string{"there is no trip with this trip_guid"})
	}

	for _, p := range c.Properties {
		stored.Values[p.Key] = p.Value
	}
	if broken := brokenTimes(stored.Values); broken != nil {
		return badData(broken)
	}

	if commit {
		s.commit(req, stored)
	}
	answer := importer.PropertyObject(stored.Values)
	answer["trip_guid"] = stored.GUID
	if stored.TripID != "" {
		answer["trip_id"] = stored.TripID
	}
	return JSONResponse(http.StatusOK, answer)
}

// commit stores a new or changed trip, and logs that. The caller holds the lock.
func (s *Sandbox) commit(req request, t BookedTrip) {
	s.store.put(t)
	s.log(Entry{
		Phase: Committed, Request: req.number, Operation: req.operation,
		Provider: t.Provider, TripID: t.TripID, GUID: t.GUID, Again: t.Again,
	})
}

func badData(violations []string) *Response {
	return Refusal(http.StatusBadRequest, strings.Join(violations, "; "))
}
