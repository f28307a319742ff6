package sandbox

import (
	"net/http"
	"strings"

	"tripimport/importer"
)

// process validates and carries out a request. Without commit it books and
// changes nothing, but returns the same response.
func (s *Sandbox) process(req request, commit bool) *response {
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
func (s *Sandbox) access() *response {
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
	return jsonResponse(http.StatusOK, list)
}

// insert books a trip.
func (s *Sandbox) insert(req request, commit bool) *response {
	in, violations := s.contract.readInsertion(req.body)
	if violations != nil {
		return badData(violations)
	}

	t := &in.trip
	broken := t.brokenRules()

	s.mu.Lock()
	defer s.mu.Unlock()
	provider := s.providerByKey(in.Key)
	if provider == nil || !hasFundingSource(provider, t.FundingSource) {
		return refusal(http.StatusUnauthorized, "you have no access to this resource: the API key or the funding source is not among yours")
	}
	if broken != nil {
		return badData(broken)
	}

	if t.Distance == nil {
		miles := t.estimatedMiles()
		t.Distance = &miles
	}

	t.GUID = newGUID(s.guidPrefix)
	if commit {
		stored := storedTrip{
			GUID: t.GUID, Provider: provider.Name, FundingSource: t.FundingSource, TripID: t.ID, tripTimes: t.times(),
			Again: s.store.count(provider.Name, t.ID),
		}
		if failed := s.commit(req, stored); failed != nil {
			return failed
		}
	}
	return tripResponse(t)
}

// tripResponse returns the response to an insertion: the whole trip, without
// the API key.
func tripResponse(t *trip) *response {
	a := jsonResponse(http.StatusOK, t)
	a.trip = t
	return a
}

// hasFundingSource reports whether the provider has a funding source with
// exactly this name.
func hasFundingSource(p *importer.Provider, name string) bool {
	for _, f := range p.FundingSources {
		if f.Name == name {
			return true
		}
	}
	return false
}

// change changes properties of a booked trip.
func (s *Sandbox) change(req request, commit bool) *response {
	c, violations := s.contract.readChange(req.body)
	if violations != nil {
		return badData(violations)
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	provider := s.providerByKey(c.Key)
	if provider == nil {
		return refusal(http.StatusForbidden, "the API key has no access to this resource")
	}

	stored, found := s.store.find(c.GUID)
	if !found {
		return badData([]string{"there is no trip with this trip_guid"})
	}
	if stored.Provider != provider.Name {
		return refusal(http.StatusForbidden, "the API key has no access to this resource")
	}

	times, broken := s.contract.apply(c, stored.tripTimes)
	if broken != nil {
		return badData(broken)
	}

	stored.tripTimes = times
	if commit {
		if failed := s.commit(req, stored); failed != nil {
			return failed
		}
	}
	return jsonResponse(http.StatusOK, map[string]any{
		"trip_guid": stored.GUID, "trip_id": stored.TripID, "changed_properties": c.Properties,
	})
}

// commit stores a new or changed trip and writes the log's second line about
// the request. It returns nil, or the response to a request whose trip cannot
// be stored. The caller holds the lock.
func (s *Sandbox) commit(req request, t storedTrip) *response {
	err := s.store.write(t)
	if err == nil {
		err = s.log.write(Entry{
			Phase: Committed, Request: req.number, Operation: req.operation,
			Provider: t.Provider, TripID: t.TripID, GUID: t.GUID,
			Digest: req.digest, Again: t.Again,
		})
	}
	if err != nil {
		return refusal(http.StatusInternalServerError, "unknown error: the trip can't be kept")
	}
	return nil
}

func badData(violations []string) *response {
	return refusal(http.StatusBadRequest, strings.Join(violations, "; "))
}
