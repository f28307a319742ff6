package sandbox

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tripimport/importer"
)

// DefaultToken is the access token of a sandbox whose Config has none.
const DefaultToken = "sandbox-token"

// A Config configures a sandbox. The zero value is a sandbox that keeps its trips
// in memory, writes no log and fails no request.
type Config struct {
	// Token is the access token that requests must carry. Empty means
	// DefaultToken.
	Token string
	// GUIDPrefix replaces the first characters of every trip GUID: "00000000-"
	// marks the GUIDs of rehearsals. It has at most the first eight digits, in
	// lower case, and the hyphen after them.
	GUIDPrefix string
	// State is the file that keeps the trips from one process to the next. It
	// is created if it does not exist. Empty keeps them in memory.
	State string
	// StateKey are 32 bytes with which the trips' ids in State are encrypted, because
	// they may tell who the riders are. Without it, the ids are in clear.
	StateKey []byte
	// Log is the file that entries are appended to; see Entry. Empty means no
	// log.
	Log string
	// KeepValues lets State hold the values of trips and Log the bodies of requests,
	// which are row content. It is for tests.
	KeepValues bool
	// Faults make requests fail; nil means that none does.
	Faults Faults
	// Delay is how long every request takes.
	Delay time.Duration
	// OnRequest, if set, is called with the body of every insertion and change
	// that arrives, before the body is validated. It is called concurrently.
	OnRequest func(op Operation, body []byte)
}

// A Sandbox is a stand-in for the service. It is an http.Handler and safe for
// concurrent use. Close releases its files.
type Sandbox struct {
	token       string
	guidPrefix  string
	delay       time.Duration
	onRequest   func(Operation, []byte)
	contract    *contract
	fault       func(op Operation, ids ...string) Fault
	closing     chan struct{} // closed by release, to end every wait
	releaseOnce sync.Once
	closeOnce   sync.Once
	requests    atomic.Int64

	mu        sync.Mutex // guards the fields below
	providers []importer.Provider
	sources   int // the number of funding sources
	store     *store
	log       *log
}

var _ http.Handler = (*Sandbox)(nil)

// New makes a sandbox without providers; Allow adds them. If State names an
// existing file, its trips are loaded. New fails if a file cannot be opened or
// read, or if GUIDPrefix or Faults is invalid.
func New(cfg Config) (*Sandbox, error) {
	s := &Sandbox{
		token:      cmp.Or(cfg.Token, DefaultToken),
		guidPrefix: cfg.GUIDPrefix,
		delay:      cfg.Delay,
		onRequest:  cfg.OnRequest,
		fault:      func(Operation, ...string) Fault { return nil },
		closing:    make(chan struct{}),
	}
	if !isGUIDPrefix(s.guidPrefix) {
		return nil, errors.New("the sandbox's GUID prefix is not the beginning of a GUID")
	}

	var err error
	if cfg.Faults != nil {
		if s.fault, err = cfg.Faults.Start(); err != nil {
			return nil, err
		}
	}
	if s.contract, err = readContract(); err != nil {
		return nil, err
	}
	if s.store, err = openStore(cfg.State, cfg.StateKey, cfg.KeepValues); err != nil {
		return nil, err
	}
	if s.log, err = openLog(cfg.Log); err != nil {
		return nil, errors.Join(err, s.store.close())
	}
	return s, nil
}

// Token returns the access token that requests must carry.
func (s *Sandbox) Token() importer.Secret { return importer.NewSecret(s.token) }

// Allow lets trips be booked with a provider and one of its funding sources. A
// rehearsal calls it with the names in the schedule. Names that differ only in
// letter case or in spaces are the same name.
func (s *Sandbox) Allow(provider, fundingSource string) {
	s.mu.Lock()
	defer s.mu.Unlock()

	p := s.findProvider(func(p importer.Provider) bool { return normalizeName(p.Name) == normalizeName(provider) })
	if p == nil {
		s.providers = append(s.providers, importer.Provider{Name: provider, Key: keyFor(provider)})
		p = &s.providers[len(s.providers)-1]
	}
	if _, found := p.FundingSource(fundingSource); !found {
		s.sources++
		p.FundingSources = append(p.FundingSources, importer.FundingSource{ID: s.sources, Name: fundingSource})
	}
}

// Trips returns the booked trips as the service has them now, in the order of booking.
func (s *Sandbox) Trips() []BookedTrip {
	s.mu.Lock()
	defer s.mu.Unlock()
	trips := make([]BookedTrip, len(s.store.order))
	for i, guid := range s.store.order {
		trips[i], _ = s.store.find(guid)
	}
	return trips
}

// Put stores a trip without a request, as a dispatcher does in the service itself. t is
// one of Trips, with other values or cancelled, or a new trip without a GUID. Put
// validates nothing, writes no Entry, and returns the GUID.
func (s *Sandbox) Put(t BookedTrip) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.GUID = cmp.Or(t.GUID, newGUID(s.guidPrefix))
	t.Values = maps.Clone(t.Values)
	return t.GUID, s.store.write(t)
}

// findProvider returns the first provider for which match is true, or nil. The caller
// holds the lock.
func (s *Sandbox) findProvider(match func(importer.Provider) bool) *importer.Provider {
	for i := range s.providers {
		if match(s.providers[i]) {
			return &s.providers[i]
		}
	}
	return nil
}

func (s *Sandbox) providerByKey(key string) *importer.Provider {
	return s.findProvider(func(p importer.Provider) bool { return p.Key.Reveal() == key })
}

// keyFor returns the API key of a provider. It is derived from the name, so that
// a provider has the same key, and the ledger of rehearsals the same trips, in
// every process.
func keyFor(name string) importer.Secret {
	sum := sha256.Sum256([]byte("tripimport sandbox: " + normalizeName(name)))
	return importer.NewSecret(fmt.Sprintf("sandbox-%x", sum[:12]))
}

// normalizeName returns the name in lower case with single spaces.
func normalizeName(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// isGUIDPrefix reports whether s is valid as Config.GUIDPrefix.
func isGUIDPrefix(s string) bool {
	digits, hyphen := strings.CutSuffix(s, "-")
	return len(digits) <= 8 && (!hyphen || len(digits) == 8) && strings.Trim(digits, "0123456789abcdef") == ""
}

// release ends the wait of every request that a delay or a fault holds.
func (s *Sandbox) release() { s.releaseOnce.Do(func() { close(s.closing) }) }

// Close ends the wait of every request that a delay or a fault holds, and
// closes the files. Requests that arrive later fail. A second call does nothing.
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
