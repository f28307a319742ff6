package mapping

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A passengerCounter counts the passengers of one space type who come along.
type passengerCounter struct {
	space *value
	count counter
}

// A counter counts passengers in a row; cols are the cells it looked at.
type counter func(r *rowContext) (count int, ok bool)

func (c *compiler) riders(p *legMaker) {
	var columns []importer.Column
	outer := c.used
	c.used = &columns
	for i := range p.spec.AdditionalPassengers {
		s := &p.spec.AdditionalPassengers[i]
		if s.SpaceType == nil || s.Count == nil {
			c.finding(s.position, "additional passengers need a space type and a count", "write {space_type: AMB, count: Escorts}")
			continue
		}
		plan := passengerCounter{count: c.count(s.Count)}
		plan.space = c.value(&s.SpaceType.source)
		p.riders = append(p.riders, plan)
	}
	c.used = outer
	p.origins[importer.FieldAdditional] = unique(columns)
}

// count compiles an amount.
func (c *compiler) count(a *countSpec) counter {
	var get counter
	switch {
	case a.Sum != nil:
		get = combined(c.counts(a.Sum), func(x, y int) int { return x + y })
	case a.Most != nil:
		get = combined(c.counts(a.Most), func(x, y int) int { return max(x, y) })
	default:
		get = c.single(a)
	}
	if less := a.Less; less != 0 {
		whole := get
		get = func(r *rowContext) (int, bool) {
			n, ok := whole(r)
			return max(n-less, 0), ok
		}
	}
	if a.When != nil && (a.Sum != nil || a.Most != nil) {
		holds, whole := c.condition(a.When), get
		get = func(r *rowContext) (int, bool) {
			switch holds(r) {
			case yes:
				return whole(r)
			case no:
				return 0, true
			}
			return 0, false
		}
	}
	return get
}

func (c *compiler) counts(amounts []*countSpec) []counter {
	var counters []counter
	for _, a := range amounts {
		counters = append(counters, c.count(a))
	}
	return counters
}

func combined(parts []counter, with func(x, y int) int) counter {
	return func(r *rowContext) (int, bool) {
		total, all := 0, true
		for _, part := range parts {
			n, ok := part(r)
			total = with(total, n)
			all = all && ok
		}
		return total, all
	}
}

// single counts in one value: a number, or names to be counted.
func (c *compiler) single(a *countSpec) counter {
	v := c.value(&a.source)
	parting := a.Items.Value
	return func(r *rowContext) (int, bool) {
		f := v.read(r)
		switch {
		case f.bad:
			return 0, false
		case f.text == "":
			return 0, true
		case parting != "":
			return len(slices.DeleteFunc(strings.FieldsFunc(f.text, func(x rune) bool { return strings.ContainsRune(parting, x) }),
				func(name string) bool { return values.Clean(name) == "" })), true
		}
		n, ok := values.Count(f.text)
		if !ok {
			r.fault(codeCount, fmt.Sprintf("%q is not a number of passengers", f.text), "write a whole number, or leave the cell empty", f.col)
		}
		return n, ok
	}
}

// fillPassengers fills in who comes along. Counts of one space type are added up.
func (p *legMaker) fillPassengers(r *rowContext, t *importer.Trip) {
	r.field = importer.FieldAdditional
	for i := range p.riders {
		n, ok := p.riders[i].count(r)
		if !ok || n == 0 {
			continue
		}
		space := p.riders[i].space.read(r)
		if space.bad {
			continue
		}
		at := slices.IndexFunc(t.AdditionalRiders, func(a importer.AdditionalRiders) bool { return a.SpaceType == space.text })
		if at < 0 {
			t.AdditionalRiders = append(t.AdditionalRiders, importer.AdditionalRiders{SpaceType: space.text, Count: n})
			continue
		}
		t.AdditionalRiders[at].Count += n
	}
}

// distance compiles the distance and what turns it into miles.
func (c *compiler) distance(p *legMaker) {
	s := p.spec.BillableDistance
	if s == nil {
		return
	}
	c.decoder.choice(s.Unit, "miles", "km", "m")
	p.miles, p.perMile = c.value(&s.source), 1
	switch s.Unit.Value {
	case "km":
		p.perMile = 1.609344
	case "m":
		p.perMile = 1609.344
	}
	p.setOrigin(importer.FieldBillableDistance, p.miles)
}

// fillDistance fills in the distance, in miles; a converted one to two decimals.
func (p *legMaker) fillDistance(r *rowContext, t *importer.Trip) {
	if p.miles == nil {
		return
	}
	r.field = importer.FieldBillableDistance
	f := p.miles.read(r)
	if f.bad || f.text == "" {
		return
	}
	n, ok := values.Distance(f.text)
	if !ok {
		r.fault(codeNumber, fmt.Sprintf("%q is not a distance", f.text), "write a number, or leave the cell empty", f.col)
		return
	}
	if p.perMile != 1 {
		n = math.Round(n/p.perMile*100) / 100
	}
	t.BillableDistance = importer.Miles{Value: n, Given: true}
}
