package places

import (
	"context"
	"errors"
	"slices"
	"time"

	"tripimport/importer"
)

// Prepare implements importer.Placer. It asks the geocoder about the addresses that the
// store does not have, once about each. If the geocoder fails, the trips get problems
// that say why. The error is that of the store, of the consent, or of the context.
func (p *Places) Prepare(ctx context.Context) error {
	p.store.keepUse(p.lookups)
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
	for batch := range slices.Chunk(pending, p.geocoder.batch) {
		if p.askAbout(ctx, batch); p.failure != "" {
			break
		}
	}
	return errors.Join(ctx.Err(), p.store.learn(p.geocoder.name, pending))
}

// askable returns the missing addresses that may be sent. A street without a house number can't be
// found.
func (p *Places) askable() []*lookup {
	if p.geocoder == nil {
		return nil
	}
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

// askAbout sends a batch, once more if that fails, and takes the answers.
func (p *Places) askAbout(ctx context.Context, batch []*lookup) {
	queries := importer.Each(batch, func(l *lookup) Unplaced { return *l.missing })
	answers, failure := p.geocoder.geocode(ctx, queries)
	if failure != "" {
		select {
		case <-time.After(p.pause):
		case <-ctx.Done():
		}
		answers, failure = p.geocoder.geocode(ctx, queries)
	}
	if failure != "" {
		p.failure = "the geocoder " + p.geocoder.name + " " + failure
		return
	}
	for i, l := range batch {
		matches, answered := answers[i]
		best, why := bestMatch(l.missing.address, matches)
		switch {
		case !answered:
			l.why = ": " + p.geocoder.name + " gave no answer about it"
		case why != "":
			l.why = ": " + p.geocoder.name + " " + why
		default:
			l.position = entry{Latitude: best.Latitude, Longitude: best.Longitude, Source: p.geocoder.name}.position()
		}
	}
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
