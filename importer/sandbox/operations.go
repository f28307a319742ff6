package sandbox

import (
	"net/http"
	"strings"

	"tripimport/importer"
)

// process carries a request out as the contract says. Without commit it does
// all but book or change the trip.
func (s *Sandbox) process(req request, commit bool) *response {
	switch req.operation {
	case Insert:
		return s.insert(req, commit)
	case Change:
		return s.change(req, commit)
	}
	return s.access()
}

// access lists what the token may use (contract, section 4.1). The provider's
// name is spelled exactly so.
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

// insert books a trip (contract, section 4.2).
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
		estimatedMiles := t.estimatedMiles()
		t.Distance = &estimatedMiles
	}
	t.GUID = newGUID(s.guidPrefix)
	if commit {
		stored := storedTrip{GUID: t.GUID, Provider: provider.Name, FundingSource: t.FundingSource, TripID: t.ID, tripTimes: t.times()}
		if no := s.commit(req, stored); no != nil {
			return no
		}
	}
	return tripResponse(t)
}

// created is the answer to an insertion: the full trip object. The API key is
// the caller's own business and is not given back.
func tripResponse(t *trip) *response {
	a := jsonResponse(http.StatusOK, t)
	a.trip = t
	return a
}

// owns reports whether the provider has the funding source by exactly this
// name, as the access operation gave it.
func hasFundingSource(p *importer.Provider, fundingSource string) bool {
	for _, f := range p.FundingSources {
		if f.Name == fundingSource {
			return true
		}
	}
	return false
}

// change changes properties of a trip (contract, section 4.3).
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
		if no := s.commit(req, stored); no != nil {
			return no
		}
	}
	return jsonResponse(http.StatusOK, map[string]any{
		"trip_guid": stored.GUID, "trip_id": stored.TripID, "changed_properties": c.Properties,
	})
}

// commit writes a new or changed trip in the book, and that it did so in the
// log. Its caller holds the lock.
func (s *Sandbox) commit(req request, t storedTrip) *response {
	if req.operation == Insert {
		t.Again = s.store.count(t.Provider, t.TripID)
	}
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
