package places

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
	"tripimport/importer/usps"

	"golang.org/x/time/rate"
)

// Counts says where a run's addresses were found. An address counts once,
// however many rows have it.
type Counts struct {
	Listed   int // in the places list
	Cached   int // in the cache
	Asked    int // sent to the geocoder
	Requests int // to the geocoder, repetitions included
	Answered int // with a usable position, now or in an earlier run
	Missing  int // still without coordinates
}

// A Consent asks a person whether that many addresses may go to a geocoder. If it
// returns false, none is sent.
type Consent func(geocoder string, addresses int) (bool, error)

// WithCache looks in a cache before a geocoder is asked, and keeps its answers
// there.
func WithCache(c *Cache) Option { return func(p *Places) { p.cache = c } }

// WithGeocoder asks a geocoder about addresses that neither the list nor the
// cache has. It sends perSecond requests each second at most, one after the
// other; 0 is no limit.
func WithGeocoder(g Geocoder, perSecond float64) Option {
	limit := rate.Limit(perSecond)
	if perSecond <= 0 {
		limit = rate.Inf
	}
	return func(p *Places) { p.geocoder, p.limiter = g, rate.NewLimiter(limit, 1) }
}

// WithConsent asks a person before the first addresses go to a geocoder; the
// cache keeps a consent. Without this option and without a kept consent nothing
// is sent.
func WithConsent(ask Consent) Option { return func(p *Places) { p.consent = ask } }

// A pendingQuery is an address that the geocoder is to be asked about, and the
// lookups that wait for the answer.
type pendingQuery struct {
	query   Query
	address usps.Address
	lookups []*lookup
}

// Prepare implements importer.Placer. It takes the addresses that the list does
// not have from the cache, and asks the geocoder about the others, once about
// each. If the geocoder fails, the trips get problems that say why, and
// GeocoderFailure returns the reason. The error is that of the cache, of the
// consent, or of the context.
func (p *Places) Prepare(ctx context.Context) error {
	p.counts.Listed = len(p.lookups) - len(p.missing)
	if p.overflow {
		p.failure = fmt.Sprintf("there are more than %d addresses without coordinates", maxMissing)
	}

	pending := p.pendingQueries()
	if p.geocoder != nil && len(pending) > 0 {
		allowed, err := p.hasConsent(len(pending))
		if err != nil {
			return err
		}
		if !allowed {
			p.failure = "nobody has agreed yet to send addresses to " + p.geocoder.Name()
		} else if err := p.sendAll(ctx, pending); err != nil {
			return err
		}
	}

	p.counts.Missing = 0
	for _, l := range p.missing {
		switch {
		case !l.position.IsSet():
			p.counts.Missing++
		case l.answered:
			p.counts.Answered++
		}
	}
	return ctx.Err()
}

// Counts returns where the addresses were found. It is complete once Prepare has
// returned.
func (p *Places) Counts() Counts { return p.counts }

// GeocoderFailure returns why the geocoder was not asked about all addresses, or
// did not answer, in words for a dispatcher; "" if it did. It contains no part of
// any address.
func (p *Places) GeocoderFailure() string { return p.failure }

// pendingQueries fills in what the cache has, and returns the queries for the
// other addresses, one for each.
func (p *Places) pendingQueries() []*pendingQuery {
	var all []*pendingQuery
	byAddress := map[usps.Address]*pendingQuery{}
	for _, l := range p.missing {
		if l.position.IsSet() {
			continue
		}
		parsed := parseEvent(l.event)
		if p.fromCache(l, parsed) {
			p.counts.Cached++
			continue
		}
		query, address, ok := parsed.query()
		if !ok {
			continue
		}
		q, ok := byAddress[address]
		if !ok {
			q = &pendingQuery{query: query, address: address}
			byAddress[address] = q
			all = append(all, q)
		}
		q.lookups = append(q.lookups, l)
	}
	return all
}

// fromCache fills in the cached answer for an address. It reports whether there
// is one that is still valid.
func (p *Places) fromCache(l *lookup, parsed parsed) bool {
	if p.cache == nil {
		return false
	}
	a, ok := p.cache.find(parsed.addresses)
	if !ok || p.isStale(a) {
		return false
	}
	p.fill(l, a)
	return true
}

// isStale reports whether to ask again about a cached answer. An answer with a
// position is valid forever, because places do not move. An answer without one is
// valid for 30 days, because maps grow.
func (p *Places) isStale(a cachedAnswer) bool {
	const days = 30
	return a.quality < Near && a.date.DaysUntil(p.today()) > days
}

func (p *Places) today() importer.Date { return importer.DateOf(p.now()) }

// fill fills in what a geocoder has answered for an address, and the position if
// it may be used.
func (p *Places) fill(l *lookup, a cachedAnswer) {
	l.answered, l.quality, l.source = true, a.quality, a.source
	if a.quality == Exact {
		l.position = importer.Position{
			Latitude: a.lat, Longitude: a.lng, HasLatitude: true, HasLongitude: true, Source: a.source,
		}
	}
}

// hasConsent reports whether addresses may go to the geocoder. It asks a person
// unless the cache has an earlier consent.
func (p *Places) hasConsent(addresses int) (bool, error) {
	name := p.geocoder.Name()
	if p.cache != nil && p.cache.Consented(name) {
		return true, nil
	}
	if p.consent == nil {
		return false, nil
	}
	ok, err := p.consent(name, addresses)
	if err != nil || !ok || p.cache == nil {
		return ok, err
	}
	return true, p.cache.consent(name, p.today())
}

// sendAll sends the queries in batches. It repeats those that a batch left
// unanswered once, in case a part of the reply was lost.
func (p *Places) sendAll(ctx context.Context, pending []*pendingQuery) error {
	p.counts.Asked += len(pending)
	for round := 0; round < 2 && len(pending) > 0; round++ {
		var left []*pendingQuery
		for len(pending) > 0 {
			n := min(max(p.geocoder.Batch(), 1), len(pending))
			unanswered, err := p.sendBatch(ctx, pending[:n])
			if err != nil {
				return p.noteFailure(ctx, err)
			}
			left = append(left, unanswered...)
			pending = pending[n:]
		}
		pending = left
	}
	if len(pending) > 0 {
		p.failure = fmt.Sprintf("the geocoder %s left %s without an answer", p.geocoder.Name(), importer.Counted(len(pending), "address", "addresses"))
	}
	return nil
}

// noteFailure keeps a geocoder's failure, which does not end the run. It returns
// any other error.
func (p *Places) noteFailure(ctx context.Context, err error) error {
	var failed *GeocoderError
	if ctx.Err() == nil && errors.As(err, &failed) {
		p.failure = failed.Reason
		return nil
	}
	return err
}

// sendBatch sends a batch, fills in and caches the answers, and returns the
// queries without one.
func (p *Places) sendBatch(ctx context.Context, batch []*pendingQuery) ([]*pendingQuery, error) {
	queries := make([]Query, len(batch))
	for i, q := range batch {
		q.query.Number = i + 1
		queries[i] = q.query
	}
	answers, err := p.send(ctx, queries)
	if err != nil {
		return nil, err
	}

	keep := map[string]cachedAnswer{}
	done := make([]bool, len(batch))
	for _, a := range answers {
		i := a.Number - 1
		if i < 0 || i >= len(batch) || done[i] {
			continue
		}
		done[i] = true
		q := batch[i]
		m, quality := bestMatch(q.address, a.Matches)
		best := cachedAnswer{m.Latitude, m.Longitude, p.geocoder.Name(), quality, p.today()}
		for _, l := range q.lookups {
			p.fill(l, best)
		}
		if p.cache != nil {
			keep[p.cache.hash(q.address)] = best
		}
	}

	var left []*pendingQuery
	for i, q := range batch {
		if !done[i] {
			left = append(left, q)
		}
	}
	if len(keep) == 0 {
		return left, nil
	}
	return left, p.cache.add(keep)
}

// send sends a request, and repeats it if that may help. Repeating is safe, since
// asking where an address is changes nothing.
func (p *Places) send(ctx context.Context, queries []Query) ([]Answer, error) {
	const tries = 4
	pause := p.pause
	for try := 1; ; try++ {
		if err := p.limiter.Wait(ctx); err != nil {
			return nil, err
		}
		p.counts.Requests++
		answers, err := p.geocoder.Geocode(ctx, queries)
		if err == nil {
			return answers, nil
		}

		var failed *GeocoderError
		if !errors.As(err, &failed) || !failed.Retry || try == tries {
			return nil, err
		}
		select {
		case <-time.After(max(pause, failed.RetryAfter)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		pause *= 4
	}
}
