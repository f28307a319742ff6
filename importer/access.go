package importer

// Access is the list of what the token may use.
type Access struct{ Providers []Provider }

// A Provider is a transportation provider with its funding sources.
type Provider struct {
	Name           string
	Key            Secret `json:"-"` // it is sent, and never kept
	FundingSources []FundingSource
}

// A FundingSource pays for trips of a provider.
type FundingSource struct {
	ID   int
	Name string
}

// A Pair is a provider and a funding source as the rows name them.
type Pair struct{ Provider, FundingSource string }

// Canonical returns the pair in the form in which pairs are compared: case and runs of spaces
// make no difference.
func (p Pair) Canonical() Pair { return Pair{BrokerText(p.Provider), BrokerText(p.FundingSource)} }

// Provider returns the provider with the name, in any case and spacing. It reports
// false if there is none or more than one.
func (a Access) Provider(name string) (Provider, bool) {
	return theOne(a.Providers, func(p Provider) bool { return SameName(p.Name, name) })
}

// FundingSource returns the funding source with the name, in any case and spacing.
// It reports false if there is none or more than one.
func (p Provider) FundingSource(name string) (FundingSource, bool) {
	return theOne(p.FundingSources, func(f FundingSource) bool { return SameName(f.Name, name) })
}

// theOne returns the one element that fits. It reports false if none or more than one does.
func theOne[T any](list []T, fits func(T) bool) (found T, ok bool) {
	n := 0
	for _, element := range list {
		if fits(element) {
			found = element
			n++
		}
	}
	return found, n == 1
}

// SameName reports whether two names of providers, or of funding sources, are the same,
// without regard to case and runs of spaces.
func SameName(a, b string) bool { return BrokerText(a) == BrokerText(b) }

// An AccessError says why the access operation did not return the list.
type AccessError struct {
	// Status is the HTTP status, 0 without an answer.
	Status int
	// Reason says what is wrong, for a dispatcher, without row content and
	// secrets.
	Reason string
	// Certificate reports that the service's certificate was not accepted.
	Certificate bool
}

// Error returns the Reason.
func (e *AccessError) Error() string { return e.Reason }

// Denied reports whether the service refused the token.
func (e *AccessError) Denied() bool { return e.Status == 401 }
