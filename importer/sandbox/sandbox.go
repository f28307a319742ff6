package sandbox

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tripimport/importer"
)

// DefaultToken is the access token of a sandbox that is given none.
const DefaultToken = "sandbox-token"

// A Config says what a sandbox is like. The zero value is an empty one, kept in
// memory, without faults.
type Config struct {
	// Token is the access token that is asked for; empty means DefaultToken.
	Token string
	// Providers may be booked with. A provider without a key gets one that
	// follows from its name, and a funding source without an id the next one.
	Providers []importer.Provider
	// GUIDPrefix begins every trip GUID, in the place of its first digits: a
	// rehearsal's begin with 00000000-.
	GUIDPrefix string
	// State is the file in which trips are kept from one run to the next: ids,
	// types and times, nothing of the riders. Empty keeps them in memory.
	State string
	// Log is the file of the two-phase log, appended to; see Entry. Empty means
	// none.
	Log string
	// Faults are the failures to make; nil means none.
	Injections *InjectionPlan
	// Delay is how long the service takes for each request.
	Delay time.Duration
	// Seen, where it is set, is called with the body of every insert and change
	// that arrives, before it is looked at. It is called concurrently.
	OnRequest func(op Operation, body []byte)
}

// An Operation is one of those that the contract shows.
type Operation string

const (
	Access Operation = "access"
	Insert Operation = "insert"
	Change Operation = "change"
)

// A Sandbox is an imitation of the service. It is an http.Handler and safe for
// concurrent use.
type Sandbox struct {
	token       string
	guidPrefix  string
	delay       time.Duration
	onRequest   func(Operation, []byte)
	contract    *contract
	injector    *injector
	closing     chan struct{} // closed by release: whoever is held lets go
	releaseOnce sync.Once
	closeOnce   sync.Once
	requests    atomic.Int64

	mu        sync.Mutex
	providers []importer.Provider
	sources   int // the highest id of a funding source so far
	store     *store
	log       *log
}

// New makes a sandbox, and finds the trips of an earlier one again where State
// names its file. Its error is about those files, or about a fault plan.
func New(cfg Config) (*Sandbox, error) {
	s := &Sandbox{
		token:      cmp.Or(cfg.Token, DefaultToken),
		guidPrefix: cfg.GUIDPrefix,
		delay:      cfg.Delay,
		onRequest:  cfg.OnRequest,
		injector:   newInjector(cfg.Injections),
		closing:    make(chan struct{}),
	}
	if !isGUIDPrefix(s.guidPrefix) {
		return nil, errors.New("the sandbox's GUID prefix is not the beginning of a GUID")
	}
	for _, p := range cfg.Providers {
		s.addProvider(p)
	}
	if err := cfg.Injections.check(); err != nil {
		return nil, err
	}
	var err error
	if s.contract, err = readContract(); err != nil {
		return nil, err
	}
	if s.store, err = openStore(cfg.State); err != nil {
		return nil, err
	}
	if s.log, err = openLog(cfg.Log); err != nil {
		return nil, errors.Join(err, s.store.close())
	}
	return s, nil
}

// Token is the access token that the sandbox asks for.
func (s *Sandbox) Token() importer.Secret { return importer.NewSecret(s.token) }

// Allow lets trips be booked with the provider and funding source: a rehearsal
// takes the names that the spreadsheet uses. Names that differ only in letters'
// case or spaces are one and the same.
func (s *Sandbox) Allow(provider, fundingSource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addProvider(importer.Provider{
		Name:           provider,
		FundingSources: []importer.FundingSource{{Name: fundingSource}},
	})
}

// add joins a provider with what is known of it. Its caller holds the lock, or
// has the sandbox to itself.
func (s *Sandbox) addProvider(p importer.Provider) {
	existing := s.findProvider(func(q importer.Provider) bool { return normalizeName(q.Name) == normalizeName(p.Name) })
	if existing == nil {
		if p.Key.Empty() {
			p.Key = keyFor(p.Name)
		}
		s.providers = append(s.providers, importer.Provider{Name: p.Name, Key: p.Key})
		existing = &s.providers[len(s.providers)-1]
	}
	for _, f := range p.FundingSources {
		if _, found := existing.FundingSource(f.Name); found {
			continue
		}
		if f.ID == 0 {
			f.ID = s.sources + 1
		}
		s.sources = max(s.sources, f.ID)
		existing.FundingSources = append(existing.FundingSources, f)
	}
}

// provider finds the first provider that is the one; nil where none is.
func (s *Sandbox) findProvider(is func(importer.Provider) bool) *importer.Provider {
	for i := range s.providers {
		if is(s.providers[i]) {
			return &s.providers[i]
		}
	}
	return nil
}

// keyFor gives the API key of a provider that was named without one. It follows
// from the name, so that the ledger of a rehearsal knows the provider again.
func keyFor(name string) importer.Secret {
	sum := sha256.Sum256([]byte("tripimport sandbox: " + normalizeName(name)))
	return importer.NewSecret(fmt.Sprintf("sandbox-%x", sum[:12]))
}

// fold gives a name with letters' case and runs of spaces disregarded.
func normalizeName(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// isGUIDPrefix reports whether a GUID can begin so: at most the first eight
// digits and the hyphen behind them.
func isGUIDPrefix(s string) bool {
	digits, _ := strings.CutSuffix(s, "-")
	return (digits == s || len(digits) == 8) && len(digits) <= 8 && strings.Trim(digits, "0123456789abcdef") == ""
}

// release lets go of every request that a delay or a fault holds.
func (s *Sandbox) release() { s.releaseOnce.Do(func() { close(s.closing) }) }

// Close lets go of every request that is held and closes the files. Requests
// that still come afterwards fail. A second call does nothing.
func (s *Sandbox) Close() error {
	s.release()
	var err error
	s.closeOnce.Do(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		err = errors.Join(s.store.close(), s.log.close())
	})
	return err
}

var _ http.Handler = (*Sandbox)(nil)
