package places

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"

	"golang.org/x/time/rate"
)

// A Counts says where a run's addresses were found. Addresses count once,
// however many rows have them.
type Counts struct {
	Listed   int // in the places list
	Cached   int // in the cache
	Asked    int // sent to the geocoder
	Requests int // that took
	Answered int // with a usable position, lately or earlier
	Open     int // still to be placed
}

// A Consent is asked for before any address goes to a geocoder for the first
// time: how many go, and to whom. A false answer keeps them in the building.
type Consent func(geocoder string, addresses int) (bool, error)

// WithCache keeps what geocoders answer, and looks there before asking.
func WithCache(c *Cache) Option { return func(p *Places) { p.cache = c } }

// WithGeocoder turns a geocoder on, at most perSecond requests each second; 0
// is one after the other without a pause.
func WithGeocoder(g Geocoder, perSecond float64) Option {
	limit := rate.Limit(perSecond)
	if perSecond <= 0 {
		limit = rate.Inf
	}
	return func(p *Places) { p.geocoder, p.limiter = g, rate.NewLimiter(limit, 1) }
}

// WithConsent asks a person before a geocoder's first use. Without it, and
// without a consent in the cache, nothing is sent.
func WithConsent(ask Consent) Option { return func(p *Places) { p.consent = ask } }

// WithNearMatches says what a near match is: a fault, as by default, or a
// notice beside a trip that is placed.
func WithNearMatches(s importer.Severity) Option { return func(p *Places) { p.near = s } }

// WithClock replaces the clock by which answers are dated and requests retried.
func WithClock(now func() time.Time) Option { return func(p *Places) { p.now = now } }

// A question is one address to be asked for, and the wanted ones that wait.
type question struct {
	query   Query
	address address
	waiting []*wanted
}

// Prepare implements importer.Placer. Each address that the list does not have
// is looked for in the cache, and what is not there is asked of the geocoder,
// once. A geocoder that can't be reached stops nothing: its addresses stay
// unplaced, and their problems say why. The error is that of the cache, of the
// consent, or of the context.
func (p *Places) Prepare(ctx context.Context) error {
	p.counts.Listed = len(p.placed) - len(p.open)
	if p.overfull {
		p.trouble = fmt.Sprintf("there are more than %d addresses without coordinates", mostOpen)
	}
	questions := p.questions()
	if p.geocoder != nil && len(questions) > 0 {
		allowed, err := p.mayAsk(len(questions))
		if err != nil {
			return err
		}
		if !allowed {
			p.trouble = "nobody has agreed yet that addresses go to " + p.geocoder.Name()
		} else if err := p.askAll(ctx, questions); err != nil {
			return err
		}
	}
	p.counts.Open = 0
	for _, w := range p.open {
		switch {
		case !w.found.Known():
			p.counts.Open++
		case w.answered:
			p.counts.Answered++
		}
	}
	return ctx.Err()
}

// Counts says where the addresses were found, once Prepare has returned.
func (p *Places) Counts() Counts { return p.counts }

// Trouble says why the geocoder could not be asked about everything; empty
// where it could. It holds no part of any address.
func (p *Places) Trouble() string { return p.trouble }

// questions takes from the cache what is there and gives the rest, each
// address once.
func (p *Places) questions() []*question {
	var all []*question
	byAddress := map[address]*question{}
	for _, w := range p.open {
		if w.found.Known() || w.address == nil {
			continue
		}
		r := w.address.reading()
		if p.remember(w) {
			p.counts.Cached++
			continue
		}
		query, ok := r.query()
		if !ok {
			continue
		}
		a := r.asked()
		q, ok := byAddress[a]
		if !ok {
			q = &question{query: query, address: a}
			byAddress[a] = q
			all = append(all, q)
		}
		q.waiting = append(q.waiting, w)
	}
	return all
}

// remember settles an address by what the cache has, and reports whether it has
// anything that still holds.
func (p *Places) remember(w *wanted) bool {
	if p.cache == nil {
		return false
	}
	got, ok := p.cache.find(w.address.reading().addresses)
	if !ok || p.stale(got) {
		return false
	}
	p.settle(w, got)
	return true
}

// asked gives the reading that is asked about, without unit and spelling.
func (r reading) asked() address {
	a, _ := r.likely()
	return address{number: a.number, street: a.street, city: a.city, state: a.state, zip: a.zip}
}

// stale reports whether an answer without a place is old enough to ask again:
// maps grow. Places don't move, so an answer with one keeps.
func (p *Places) stale(a cached) bool {
	const days = 30
	return a.quality < Near && a.date.DaysUntil(p.today()) > days
}

func (p *Places) today() importer.Date { return importer.DateOf(p.now()) }

// settle puts an answer where the trips will find it.
func (p *Places) settle(w *wanted, a cached) {
	w.quality, w.source = a.quality, a.source
	w.answered = true
	if a.quality == Exact || a.quality == Near && p.near == importer.Notice {
		w.found = importer.Position{
			Latitude: a.lat, Longitude: a.lng, HasLatitude: true, HasLongitude: true, Source: a.source,
		}
	}
}

// mayAsk reports whether addresses may go to the geocoder. A consent is asked
// for once; the cache remembers it.
func (p *Places) mayAsk(addresses int) (bool, error) {
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

// askAll asks in batches. What a batch leaves unanswered is asked for once
// more, in case half of it got lost.
func (p *Places) askAll(ctx context.Context, questions []*question) error {
	p.counts.Asked += len(questions)
	for round := 0; round < 2 && len(questions) > 0; round++ {
		var left []*question
		for len(questions) > 0 {
			n := min(max(p.geocoder.Batch(), 1), len(questions))
			unanswered, err := p.ask(ctx, questions[:n])
			if err != nil {
				return p.giveUp(ctx, err)
			}
			left = append(left, unanswered...)
			questions = questions[n:]
		}
		questions = left
	}
	if len(questions) > 0 {
		p.trouble = fmt.Sprintf("%s left %d addresses without an answer", p.geocoder.Name(), len(questions))
	}
	return nil
}

// giveUp tells a geocoder that fails from a run that ends.
func (p *Places) giveUp(ctx context.Context, err error) error {
	var refused *Refusal
	if ctx.Err() == nil && errors.As(err, &refused) {
		p.trouble = refused.Reason
		return nil
	}
	return err
}

// ask sends one batch and gives back what it left unanswered.
func (p *Places) ask(ctx context.Context, batch []*question) ([]*question, error) {
	queries := make([]Query, len(batch))
	for i, q := range batch {
		q.query.Number = i + 1
		queries[i] = q.query
	}
	answers, err := p.send(ctx, queries)
	if err != nil {
		return nil, err
	}
	keep := map[string]cached{}
	done := make([]bool, len(batch))
	for _, a := range answers {
		i := a.Number - 1
		if i < 0 || i >= len(batch) || done[i] {
			continue
		}
		done[i] = true
		got := p.judged(batch[i].address, a)
		for _, w := range batch[i].waiting {
			p.settle(w, got)
		}
		if p.cache != nil {
			keep[p.cache.hash(batch[i].address)] = got
		}
	}
	var left []*question
	for i, q := range batch {
		if !done[i] {
			left = append(left, q)
		}
	}
	if len(keep) == 0 {
		return left, nil
	}
	return left, p.cache.keep(keep)
}

func (p *Places) judged(asked address, a Answer) cached {
	m, quality := judge([]address{asked}, a.Matches)
	return cached{m.Latitude, m.Longitude, p.geocoder.Name(), quality, p.today()}
}

// send makes one request, again where that is worth it: asking where an address
// is changes nothing, so it is safe to repeat.
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
		var refused *Refusal
		if !errors.As(err, &refused) || !refused.Again || try == tries {
			return nil, err
		}
		if err := sleep(ctx, max(pause, refused.After)); err != nil {
			return nil, err
		}
		pause *= 4
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WithPause sets how long to wait before a request is made again; each further
// repetition waits four times as long.
func WithPause(d time.Duration) Option { return func(p *Places) { p.pause = d } }
