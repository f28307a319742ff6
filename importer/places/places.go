// Package places finds coordinates for addresses that come without them: among the
// office's places, which lists brought in and geocoders answered, and from a geocoder,
// if the settings name one.
//
// It never guesses. Two spellings of one address match, such as "12 N. Alder Ave
// #5" and "12 North Alder Avenue Apt 5"; addresses that could be two places do
// not. Where several places fit, or a geocoder's answer is another address than
// the one asked about, the event stays without coordinates and gets a problem
// that says why.
//
// No address leaves the machine before a person has consented, and only street,
// city, state and ZIP code do. What is kept of an address is a keyed hash, and no file
// of this package has a rider's name.
package places

import (
	"cmp"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// Places implements importer.Placer: Want for each trip of a run, Prepare once,
// then Place for each trip. Want must not be called concurrently, and not after
// Prepare. Place is safe for concurrent use.
type Places struct {
	store *Store
	// lookups are the addresses that trips need, as rows write them.
	lookups map[string]*lookup
	// missing are the addresses that the store does not have, each once however the rows write
	// it, in the order in which they were first wanted. byAddress has them by the address.
	missing   []*lookup
	byAddress map[usps.Address]*lookup

	geocoder *Geocoder // nil for none
	consent  Consent
	pause    time.Duration // before a failed request is repeated
	failure  string        // of the geocoder
}

var _ importer.Placer = (*Places)(nil)

// New returns a Places that looks in the store and then, unless geocoder is nil, asks it,
// one request at a time. consent is called before the first addresses go to a geocoder;
// the store keeps a consent.
func New(store *Store, geocoder *Geocoder, consent Consent) *Places {
	return &Places{
		store: store, lookups: map[string]*lookup{}, byAddress: map[usps.Address]*lookup{},
		geocoder: geocoder, consent: consent, pause: 10 * time.Second,
	}
}

// A lookup is an address that trips need, and what was found for it.
type lookup struct {
	key      string            // of the entry in the store, if it has one
	position importer.Position // Known if there is one
	why, fix string            // why there is none, and what to do about it, if more is known than that
	missing  *Unplaced         // the address, if it is to be asked about or written out
}

// Want implements importer.Placer.
func (p *Places) Want(t *importer.Trip) {
	for _, e := range [...]*importer.Event{&t.Pickup, &t.Dropoff} {
		if !needsPosition(e) {
			continue
		}
		written := asWritten(e)
		l, ok := p.lookups[written]
		if !ok {
			l = p.wantNew(e)
			p.lookups[written] = l
		}
		if l.missing != nil {
			l.missing.Trips++
		}
	}
}

// wantNew looks up an address that is written otherwise than all before it.
func (p *Places) wantNew(e *importer.Event) *lookup {
	l := p.lookUp(e)
	if l.missing == nil {
		return l
	}
	if known, ok := p.byAddress[l.missing.address]; ok {
		return known
	}
	p.byAddress[l.missing.address] = l
	p.missing = append(p.missing, l)
	return l
}

// Place implements importer.Placer. It leaves an event with one of its two
// coordinates as it is, since the row must be fixed.
func (p *Places) Place(t *importer.Trip) {
	p.place(t, &t.Pickup, importer.FieldPickup)
	p.place(t, &t.Dropoff, importer.FieldDropoff)
}

func (p *Places) place(t *importer.Trip, e *importer.Event, at importer.Field) {
	if !needsPosition(e) {
		return
	}
	l, ok := p.lookups[asWritten(e)]
	if !ok { // never wanted, so the geocoder was not asked about it
		l = p.lookUp(e)
	}
	if l.position.IsSet() {
		e.Position = l.position
		return
	}

	why, fix := l.why, cmp.Or(l.fix, "add it with its coordinates to the office's places")
	if why == "" && p.failure != "" {
		why, fix = ": "+p.failure, fix+"; or run again later"
	}
	t.Report("position-unknown", `no coordinates for "`+e.Address()+`"`+why, fix, at)
}

// lookUp looks an event up in the store.
func (p *Places) lookUp(e *importer.Event) *lookup {
	address := parseEvent(e)
	switch key, found := p.store.find(address); {
	case found:
		return &lookup{key: key, position: p.store.Entries[key].position()}
	case address.isPOBox():
		return &lookup{fix: "write a street address: no car can go to a PO box"}
	}
	return &lookup{missing: address.unplaced()}
}

// needsPosition reports whether an event has no coordinates at all, and has an
// address by which they can be found.
func needsPosition(e *importer.Event) bool {
	p := e.Position
	return !p.HasLatitude && !p.HasLongitude && e.HasAddress()
}

// asWritten returns an address as it is written.
func asWritten(e *importer.Event) string {
	return strings.Join([]string{e.CompleteAddress, e.Address1, e.Address2, e.City, e.State, e.Zip}, "\xff")
}

// A Consent asks a person whether that many addresses may go to a geocoder. If it
// returns false, none is sent.
type Consent func(geocoder string, addresses int) (bool, error)
