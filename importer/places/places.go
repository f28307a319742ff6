// Package places finds coordinates for addresses that come without them: in the
// office's places list, in the cache of what geocoders answered earlier, and from
// a geocoder, if the configuration names one.
//
// It never guesses. Two spellings of one address match, such as "12 N. Alder Ave
// #5" and "12 North Alder Avenue Apt 5"; addresses that could be two places do
// not. Where several places fit, or a geocoder's answer is another address than
// the one asked about, the event stays without coordinates and gets a problem
// that says why.
//
// No address leaves the machine before a person has consented, and only street,
// city, state and ZIP code do. Files with addresses are readable by their user
// alone; the cache has keyed hashes instead of addresses.
package places

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"

	"golang.org/x/time/rate"
)

// Places implements importer.Placer: Want for each trip of a run, Prepare once,
// then Place for each trip. Want must not be called concurrently, and not after
// Prepare. Place is safe for concurrent use.
type Places struct {
	list *List

	seeds   [2]maphash.Seed
	lookups map[digest]*lookup
	// missing are the lookups of addresses that the list does not have, in the
	// order in which they were first wanted.
	missing  []*lookup
	overflow bool // whether there were more than maxMissing
	// listed are the lookups of the list's entries, by index. All rows that want
	// an entry share its lookup.
	listed []lookup

	cache    *Cache
	geocoder Geocoder
	limiter  *rate.Limiter
	consent  Consent
	now      func() time.Time
	// pause is how long to wait before a failed request is repeated. Each further
	// repetition waits four times as long.
	pause   time.Duration
	counts  Counts
	failure string // of the geocoder
}

var _ importer.Placer = (*Places)(nil)

// An Option changes how Places works.
type Option func(*Places)

// New returns a Places that looks in the list first. The list may be nil.
func New(list *List, options ...Option) *Places {
	p := &Places{
		list:    list,
		seeds:   [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		lookups: map[digest]*lookup{},
		now:     time.Now,
		pause:   time.Second,
	}
	if list != nil {
		p.listed = make([]lookup, list.Len())
		for i := range list.entries {
			p.listed[i].position = list.entries[i].line.position()
		}
	}
	for _, o := range options {
		o(p)
	}
	return p
}

// A digest stands for an address as a row writes it. It has 128 seeded bits
// instead of the text, to save memory.
type digest [2]uint64

// A lookup is an address that trips need, and what was found for it.
type lookup struct {
	position   importer.Position // Known if there is one
	candidates string            // the lines of the list among which a person must choose
	trips      int               // that need it
	event      *importer.Event   // the address; nil if the list has it

	answered bool // by a geocoder, now or in an earlier run
	quality  Quality
	source   string // the geocoder's name
}

// maxMissing is how many addresses without coordinates are kept to be geocoded
// and written out. A file with more of them lacks its places list.
const maxMissing = 100_000

// Want implements importer.Placer.
func (p *Places) Want(t *importer.Trip) {
	for _, e := range [...]*importer.Event{&t.Pickup, &t.Dropoff} {
		if !needsPosition(e) {
			continue
		}
		d := p.digest(e)
		l, ok := p.lookups[d]
		if !ok {
			l = p.lookUp(e)
			if l.event != nil && len(p.missing) == maxMissing {
				p.overflow = true
				continue
			}
			p.lookups[d] = l
			if l.event != nil {
				p.missing = append(p.missing, l)
			}
		}
		l.trips++
	}
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
	l, ok := p.lookups[p.digest(e)]
	if !ok { // never wanted, so the geocoder was not asked about it
		if l = p.lookUp(e); l.event != nil {
			p.fromCache(l, parseEvent(l.event))
		}
	}

	if l.position.IsSet() {
		e.Position = l.position
		return
	}

	message, fix := p.explain(l, e)
	code := "position-unknown"
	if l.candidates != "" {
		code = "position-ambiguous"
	}
	t.Fault(code, message, fix, at)
}

// explain returns why an address has no coordinates, and what to do about it.
func (p *Places) explain(l *lookup, e *importer.Event) (message, fix string) {
	message = "no coordinates for " + quoted(e)
	fix = "add it with its coordinates to the places list; the file ending in .places.csv beside the input has it ready to fill in"
	switch {
	case l.candidates != "":
		return "the places list has more than one place for " + quoted(e) + ": " + l.candidates,
			"give the lines the same coordinates, or delete the wrong one"
	case parseEvent(e).isPOBox():
		return message, "write a street address: no car can go to a PO box"
	case l.answered:
		message += ": " + l.source + " " + l.quality.reason()
	case p.failure != "":
		message += ": " + p.failure
		fix += "; or run again later"
	}
	return message, fix
}

// reason returns what is wrong with an answer that is not used.
func (q Quality) reason() string {
	switch q {
	case Near:
		return "has only a near match"
	case Poor:
		return "has only the street, the ZIP or another house"
	case Several:
		return "has more than one place"
	case NoMatch, Exact:
	}
	return "does not know it"
}

// needsPosition reports whether an event has no coordinates at all, and has an
// address or a name by which they can be found.
func needsPosition(e *importer.Event) bool {
	p := e.Position
	return !p.HasLatitude && !p.HasLongitude && (e.HasAddress() || facilityName(e) != "")
}

// lookUp looks an event up in the list.
func (p *Places) lookUp(e *importer.Event) *lookup {
	found := p.list.find(parseEvent(e), e.HasAddress())
	switch len(found) {
	case 0:
		return &lookup{event: cloneAddress(e)}
	case 1:
		return &p.listed[found[0].index]
	}
	return &lookup{candidates: describe(found)}
}

// describe names lines of the list for a message.
func describe(es []*entry) string {
	const most = 3
	var b strings.Builder
	for i, e := range es[:min(most, len(es))] {
		if i > 0 {
			b.WriteString(" and ")
		}
		fmt.Fprintf(&b, "line %d (%s, %s)", e.line.Num, formatDegrees(e.line.Latitude), formatDegrees(e.line.Longitude))
	}
	if more := len(es) - most; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// cloneAddress returns a copy of the address and the names of an event. The copy
// keeps nothing else of the row in memory.
func cloneAddress(e *importer.Event) *importer.Event {
	return &importer.Event{
		Name: strings.Clone(e.Name), LocationName: strings.Clone(e.LocationName),
		CompleteAddress: strings.Clone(e.CompleteAddress),
		Address1:        strings.Clone(e.Address1), Address2: strings.Clone(e.Address2),
		City: strings.Clone(e.City), State: strings.Clone(e.State), Zip: strings.Clone(e.Zip),
	}
}

// digest returns the digest of an address as it is written. The names are part of
// it, because they distinguish facilities at one address.
func (p *Places) digest(e *importer.Event) digest {
	var d digest
	for i, seed := range p.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		for _, s := range [...]string{e.CompleteAddress, e.Address1, e.Address2, e.City, e.State, e.Zip, e.LocationName, e.Name} {
			_, _ = h.WriteString(s) // never fails
			_ = h.WriteByte(0xff)
		}
		d[i] = h.Sum64()
	}
	return d
}

// quoted returns the address of an event in quotes, or its name if there is no
// address.
func quoted(e *importer.Event) string {
	return `"` + cmp.Or(e.Address(), e.LocationName, e.Name) + `"`
}

func formatDegrees(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
