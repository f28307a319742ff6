package places

import (
	"context"
	"errors"
	"slices"
	"time"

	"tripimport/importer"
)

// ask asks the geocoder about the missing addresses, if a person consents.
func (p *Places) ask(ctx context.Context) error {
	pending := p.askable()
	if len(pending) == 0 {
		return ctx.Err()
	}
	allowed, err := p.hasConsent(len(pending))
	if err != nil {
		return err
	}
	if !allowed {
		p.failure = "nobody has agreed yet to send addresses to " + p.geocoder.name
		return ctx.Err()
	}
	p.counts.Asked = len(pending)
	err = p.sendAll(ctx, pending)
	return errors.Join(err, p.store.learn(p.geocoder.name, pending))
}

// askable returns the missing addresses that may be sent. A street without a house number can't be
// found.
func (p *Places) askable() []*lookup {
	return slices.DeleteFunc(slices.Clone(p.missing), func(l *lookup) bool { return l.missing.address.Number == "" })
}

// hasConsent reports whether addresses may go to the geocoder. It asks a person
// unless the store has an earlier consent.
func (p *Places) hasConsent(addresses int) (bool, error) {
	name := p.geocoder.name
	if p.store.Consents[name] {
		return true, nil
	}
	if p.consent == nil {
		return false, nil
	}
	ok, err := p.consent(name, addresses)
	if err != nil || !ok {
		return false, err
	}
	return true, p.store.consent(name)
}

// learn keeps what a geocoder answered about addresses, unless a list brought in the place meanwhile.
func (s *Store) learn(geocoder string, asked []*lookup) error {
	answered := slices.DeleteFunc(asked, func(l *lookup) bool { return !l.position.IsSet() })
	if len(answered) == 0 {
		return nil
	}
	return s.update(func() bool {
		for _, l := range answered {
			key := s.keyOf(parsed{address: l.missing.address, ok: true})
			if s.Entries[key].Source != fromList {
				s.Entries[key] = entry{l.position.Latitude, l.position.Longitude, geocoder, importer.DateOf(s.now())}
			}
		}
		return true
	})
}

// sendAll sends the queries in batches.
func (p *Places) sendAll(ctx context.Context, pending []*lookup) error {
	for batch := range slices.Chunk(pending, p.geocoder.batch) {
		if err := p.sendBatch(ctx, batch); err != nil {
			return p.noteFailure(ctx, err)
		}
	}
	return ctx.Err()
}

// noteFailure keeps a geocoder's failure, which does not end the run. It returns
// any other error.
func (p *Places) noteFailure(ctx context.Context, err error) error {
	if failed, ok := errors.AsType[*geocoderError](err); ctx.Err() == nil && ok {
		p.failure = failed.reason
		return nil
	}
	return err
}

// sendBatch sends a batch, and takes the answers.
func (p *Places) sendBatch(ctx context.Context, batch []*lookup) error {
	answers, err := p.send(ctx, importer.Each(batch, func(l *lookup) Unplaced { return *l.missing }))
	if err != nil {
		return err
	}
	for i, l := range batch {
		if matches, answered := answers[i]; answered {
			p.take(l, matches)
		} else {
			l.why = ": " + p.geocoder.name + " gave no answer about it"
		}
	}
	return nil
}

// take fills in what the geocoder has for an address.
func (p *Places) take(l *lookup, matches []match) {
	best, why := bestMatch(l.missing.address, matches)
	if why != "" {
		l.why = ": " + p.geocoder.name + " " + why
		return
	}
	p.counts.Answered++
	l.position = entry{Latitude: best.Latitude, Longitude: best.Longitude, Source: p.geocoder.name}.position()
}

// send sends a request, and repeats it if that may help. Repeating is safe, since
// asking where an address is changes nothing.
func (p *Places) send(ctx context.Context, queries []Unplaced) (map[int][]match, error) {
	const tries = 4
	pause := p.pause
	for try := 1; ; try++ {
		if err := p.limiter.Wait(ctx); err != nil {
			return nil, err
		}
		answers, err := p.geocoder.geocode(ctx, queries)
		if err == nil {
			return answers, nil
		}

		failed, ok := errors.AsType[*geocoderError](err)
		if !ok || !failed.retry || try == tries {
			return nil, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		pause *= 4
	}
}

// Prepare implements importer.Placer. It asks the geocoder about the addresses that the
// store does not have, once about each. If the geocoder fails, the trips get problems
// that say why, and GeocoderFailure returns the reason. The error is that of the store,
// of the consent, or of the context.
func (p *Places) Prepare(ctx context.Context) error {
	p.store.keepUse(p.used)
	if p.geocoder == nil {
		return ctx.Err()
	}
	return p.ask(ctx)
}
