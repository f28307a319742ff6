package run

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// An AccountResolver turns the provider and funding source of a trip into the account
// under which it is booked. It is safe for concurrent use.
type AccountResolver struct {
	// Service is the canonical address of the service, and Access what it allowed when the run began.
	Service string
	Access  importer.Access
}

// find returns the account of a pair, with the names as the service writes them; the zero Account if the service does
// not allow the provider. It is ok if the service allows the pair.
func (a *AccountResolver) find(p importer.Pair) (found importer.Account, named importer.Pair, ok bool) {
	provider, ok := a.Access.Provider(p.Provider)
	if !ok {
		return found, p, false
	}
	source, ok := provider.FundingSource(p.FundingSource)
	if ok {
		p.FundingSource = source.Name
	}
	found = importer.Account{Service: a.Service, Provider: provider.Name, Key: provider.Key}
	return found, importer.Pair{Provider: provider.Name, FundingSource: p.FundingSource}, ok
}

// Of returns the account of a trip, and sets the trip's provider and funding source to
// the names that the service uses. It reports false if the service does not allow the
// provider.
func (a *AccountResolver) Of(t *importer.Trip) (importer.Account, bool) {
	found, named, _ := a.find(t.Pair())
	t.Provider, t.FundingSource = named.Provider, named.FundingSource
	return found, found.Provider != ""
}

// Usable returns the accounts of those pairs that the service allows, each once.
func (a *AccountResolver) Usable(pairs []importer.Pair) []importer.Account {
	var all []importer.Account
	for _, p := range pairs {
		if found, _, ok := a.find(p); ok && !slices.Contains(all, found) {
			all = append(all, found)
		}
	}
	return all
}

// Unknown returns the pairs that the service does not allow.
func (a *AccountResolver) Unknown(pairs []importer.Pair) []importer.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p importer.Pair) bool { _, _, ok := a.find(p); return ok })
}

// Explain says in words why the service does not allow the pair, and what may
// be used instead.
func (a *AccountResolver) Explain(p importer.Pair) (reason, fix string) {
	name, what := p.Provider, "the service has no transportation provider"
	names := importer.Each(a.Access.Providers, func(known importer.Provider) string { return known.Name })
	if provider, ok := a.Access.Provider(name); ok {
		name, what = p.FundingSource, provider.Name+" has no funding source"
		names = importer.Each(provider.FundingSources, func(known importer.FundingSource) string { return known.Name })
	}
	alike := func(known string) bool { return importer.SameName(known, name) }
	if i := slices.IndexFunc(names, alike); i >= 0 && slices.ContainsFunc(names[i+1:], alike) {
		return fmt.Sprintf("the service lists %q more than once for this token, and nothing tells which is meant", name), "ask the service to list it once, or under names that differ"
	}
	return fmt.Sprintf("%s %q for this token", what, name), useOneOf(names)
}

// useOneOf says what to do about a name that the service does not allow: names are the
// ones that it allows.
func useOneOf(names []string) string {
	const shown, askForAccess = 5, "ask the service for access to it, then get a new token"
	if len(names) == 0 {
		return askForAccess
	}
	if len(names) > shown {
		names = append(names[:shown:shown], "others")
	}
	return "use one of: " + strings.Join(names, ", ") + ", or have a table in the mapping make it one of them; or " + askForAccess
}

// resolve returns the trip's account, and sets its provider and funding source to the
// names that the service uses. It adds a fault to the trip if the service does not allow
// the pair.
func (a *AccountResolver) resolve(t *importer.Trip) importer.Account {
	p := t.Pair()
	if p.Provider == "" || p.FundingSource == "" {
		return importer.Account{} // the checks report what is missing
	}

	found, named, ok := a.find(p)
	if !ok {
		code, field := "funding-source-unknown", importer.FieldFundingSource
		if found.Provider == "" {
			code, field = "provider-unknown", importer.FieldProvider
		}
		reason, fix := a.Explain(p)
		t.Report(code, reason, fix, field)
		return importer.Account{}
	}

	t.Provider, t.FundingSource = named.Provider, named.FundingSource
	return found
}
