// Package places finds coordinates for addresses that come without: in the
// office's places list, in the cache of what geocoders answered earlier, and,
// only where the configuration turns one on, from a geocoder. It matches what
// is the same place however it is written, and nothing else: it never guesses.
package places

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"

	"golang.org/x/time/rate"
)

// Places implements importer.Placer. Want must come from one goroutine at a
// time, before Prepare; Place is safe for concurrent use after it.
type Places struct {
	list *List

	seeds  [2]maphash.Seed
	placed map[digest]*wanted
	// open are the wanted addresses that the list does not have, in the order
	// in which they were first seen.
	open     []*wanted
	overfull bool
	// listed are what the list's entries are to those who want them, made
	// once: a million rows share them.
	listed []wanted

	cache    *Cache
	geocoder Geocoder
	limiter  *rate.Limiter
	consent  Consent
	near     importer.Severity
	now      func() time.Time
	pause    time.Duration // before the first repetition of a request
	counts   Counts
	trouble  string
}

var _ importer.Placer = (*Places)(nil)

// An Option sets up a Places.
type Option func(*Places)

// New gives a Places that looks in the list first; list may be nil.
func New(list *List, options ...Option) *Places {
	p := &Places{
		list:   list,
		seeds:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		placed: map[digest]*wanted{},
		now:    time.Now,
		pause:  time.Second,
	}
	if list != nil {
		p.listed = make([]wanted, list.Len())
		for i := range list.entries {
			p.listed[i].found = list.entries[i].line.spot()
		}
	}
	for _, o := range options {
		o(p)
	}
	return p
}

// A digest stands for an address as one row writes it: 128 seeded bits, so
// that a night's addresses need not be kept.
type digest [2]uint64

// A wanted is an address and what was found for it.
type wanted struct {
	found   importer.Position // Known where there is one
	several string            // the lines of the list between which a person must choose
	trips   int               // that wait for it
	address *open             // nil where the list has it

	answered bool // by a geocoder, lately or earlier
	quality  Quality
	source   string
}

// An open is an address that the list does not have.
type open struct{ event importer.Event }

func (o *open) reading() reading { return readEvent(&o.event) }

// mostOpen is how many addresses without coordinates are kept, to be asked
// about and written out. A file with more of them lacks its places list.
const mostOpen = 100_000

// Want implements importer.Placer.
func (p *Places) Want(t *importer.Trip) {
	for _, e := range [...]*importer.Event{&t.Pickup, &t.Dropoff} {
		if !askable(e) {
			continue
		}
		d := p.digest(e)
		w, ok := p.placed[d]
		if !ok {
			w = p.look(e)
			if w.address != nil && len(p.open) == mostOpen {
				p.overfull = true
				continue
			}
			p.placed[d] = w
			if w.address != nil {
				p.open = append(p.open, w)
			}
		}
		w.trips++
	}
}

// Place implements importer.Placer. An event with one coordinate of two is left
// as it is: the row is to be mended, not papered over.
func (p *Places) Place(t *importer.Trip) {
	p.place(t, &t.Pickup, importer.FieldPickup)
	p.place(t, &t.Dropoff, importer.FieldDropoff)
}

func (p *Places) place(t *importer.Trip, e *importer.Event, at importer.Field) {
	if !askable(e) {
		return
	}
	w, ok := p.placed[p.digest(e)]
	if !ok { // an address that was never wanted is not asked about, only looked up
		if w = p.look(e); w.address != nil {
			p.remember(w)
		}
	}
	if w.found.Known() {
		e.Position = w.found
		if w.answered && w.quality == Near {
			t.Notice(positionNear, w.source+" has only a near match for "+quoted(e),
				"look whether the coordinates are right; a line in the places list settles it", at)
		}
		return
	}
	message, fix := p.why(w, e)
	code := positionUnknown
	if w.several != "" {
		code = positionAmbiguous
	}
	t.Fault(code, message, fix, at)
}

// why says why an address has no coordinates, and what to do.
func (p *Places) why(w *wanted, e *importer.Event) (message, fix string) {
	message = "no coordinates for " + quoted(e)
	fix = "add it with its coordinates to the places list; the file ending in .places.csv beside the input has it ready to fill in"
	switch {
	case w.several != "":
		return "the places list has more than one place for " + quoted(e) + ": " + w.several,
			"give the lines the same coordinates, or delete the wrong one"
	case readEvent(e).box():
		return message, "write a street address: no car can go to a PO box"
	case w.answered:
		message += ": " + w.source + " " + w.quality.reason()
	case p.trouble != "":
		message += ": " + p.trouble
		fix += "; or run again later"
	}
	return message, fix
}

// reason says what is wrong with an answer that is not used.
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

// The stable codes of the package's problems.
const (
	positionUnknown   = "position-unknown"
	positionAmbiguous = "position-ambiguous"
	positionNear      = "position-near"
)

// askable reports whether an event needs a position and says where it is.
func askable(e *importer.Event) bool {
	p := e.Position
	return !p.HasLatitude && !p.HasLongitude && (e.HasAddress() || facility(e) != "")
}

// look asks the list.
func (p *Places) look(e *importer.Event) *wanted {
	r := readEvent(e)
	found := p.list.find(r, e.HasAddress())
	switch len(found) {
	case 0:
		return &wanted{address: &open{addressOf(e)}}
	case 1:
		return &p.listed[found[0].num]
	}
	return &wanted{several: several(found)}
}

// several names the lines of the list, for a message.
func several(es []*entry) string {
	const most = 3
	var b strings.Builder
	for i, e := range es[:min(most, len(es))] {
		if i > 0 {
			b.WriteString(" and ")
		}
		fmt.Fprintf(&b, "line %d (%s, %s)", e.line.Num, degrees(e.line.Latitude), degrees(e.line.Longitude))
	}
	if more := len(es) - most; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// addressOf gives a copy of what the event says of where it is, and no more.
func addressOf(e *importer.Event) importer.Event {
	return importer.Event{
		Name: strings.Clone(e.Name), LocationName: strings.Clone(e.LocationName),
		CompleteAddress: strings.Clone(e.CompleteAddress),
		Address1:        strings.Clone(e.Address1), Address2: strings.Clone(e.Address2),
		City: strings.Clone(e.City), State: strings.Clone(e.State), Zip: strings.Clone(e.Zip),
	}
}

// digest tells addresses apart as they are written. The name counts, since it
// tells facilities at one address apart.
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

func quoted(e *importer.Event) string {
	s := e.Address()
	if s == "" {
		s = e.LocationName
	}
	if s == "" {
		s = e.Name
	}
	return `"` + s + `"`
}

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
