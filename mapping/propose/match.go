package propose

import (
	"cmp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// leastSure is how sure a guess must be to be proposed.
const leastSure = 0.44

// match finds the column of each field, or none if none is likely enough. The surest guess
// comes first; a later one about its field or its column is passed over.
func (s *Sheet) match(patterns []pattern) []Field {
	all, order := s.guesses(patterns), mapping.FieldNames()
	slices.SortStableFunc(all, func(a, b Field) int {
		return cmp.Or(cmp.Compare(b.Sure, a.Sure), cmp.Compare(slices.Index(order, a.Field), slices.Index(order, b.Field)))
	})
	var chosen []Field
	for _, g := range all {
		taken := slices.ContainsFunc(chosen, func(x Field) bool { return x.Field == g.Field || x.column == g.column })
		if g.Sure >= leastSure && !taken {
			chosen = append(chosen, g)
		}
	}
	for i := range chosen {
		if chosen[i].rivalled = hasRival(chosen[i], all, chosen); chosen[i].rivalled {
			chosen[i].Sure = min(chosen[i].Sure, mostAmongRivals)
		}
	}
	return chosen
}

func isYes(v cell) bool {
	set, _ := values.Flag(v.text)
	return set
}

// near is how much less likely a rival is at most, and mostAmongRivals how sure a guess is at most beside one.
const near, mostAmongRivals = 0.12, 0.74

// hasRival reports whether a column that holds no other field is nearly as likely for the field of a guess, or has the
// end of a standing order, which begins on the day that is guessed.
func hasRival(g Field, all, chosen []Field) bool {
	return slices.ContainsFunc(all, func(x Field) bool {
		ends := g.Field == importer.FieldDate && g.says("planned", "starttime") && x.is(isDate) && x.says("end")
		return x.Field == g.Field && (ends || x.Sure >= leastSure && x.Sure > g.Sure-near) &&
			!slices.ContainsFunc(chosen, func(c Field) bool { return c.column == x.column })
	})
}

// guesses returns all guesses that the patterns make about the columns.
func (s *Sheet) guesses(patterns []pattern) []Field {
	var all []Field
	for _, c := range s.columns {
		for i := range patterns {
			p := &patterns[i]
			sure := p.certainty(c)
			if sure < 0.2 {
				continue
			}
			why := "its header says so"
			if len(p.concepts) == 0 {
				why = "its values are " + string(c.kind())
			}
			part, isSided := strings.CutPrefix(string(p.field), string(sided)+".")
			if p.field == importer.FieldPhone && s.isBesideRider(c) {
				sure = min(0.96, sure+0.1)
			}
			if !isSided {
				all = append(all, Field{p.field, c.weighed(p.field, sure), why, c})
				continue
			}
			side, likely := s.sideOf(c, importer.Field(part))
			if c.side() == "" {
				why = "it is among the columns of the " + string(side)
			}
			field := side.Of(importer.Field(part))
			all = append(all, Field{field, c.weighed(field, sure*likely), why, c})
		}
	}
	return importer.Each(all, func(g Field) Field { return adjusted(g, all) })
}

// isBesideRider reports whether a column stands beside one about the rider as a person, such as the age.
func (s *Sheet) isBesideRider(c *column) bool {
	i := slices.Index(s.columns, c)
	return slices.ContainsFunc(s.columns[max(0, i-1):min(len(s.columns), i+2)], func(x *column) bool { return x != c && x.says("dob", "age", "gender") })
}

// sideOf returns the end of the trip to which a column belongs, as its header or else the columns around
// it show, and how likely that is.
func (s *Sheet) sideOf(c *column, part importer.Field) (side importer.Field, likely float64) {
	if side = c.side(); side != "" {
		return side, 1
	}

	sides := s.sidesOf(part)
	pickup, dropoff := sides[importer.FieldPickup], sides[importer.FieldDropoff]
	same := s.headers.Same(c.Header)
	switch {
	case len(same) == 2 && !pickup && !dropoff:
		return []importer.Field{importer.FieldPickup, importer.FieldDropoff}[slices.Index(same, c.Column)], 0.88
	case pickup && dropoff:
		return importer.FieldPickup, 0.3
	case c.says("facility", "provider"):
		return importer.FieldDropoff, 0.88
	case c.says("rider", "residence") && slices.Contains(addressParts(), part) && s.sidesOf(importer.FieldAddress1)[importer.FieldPickup]:
		return importer.FieldPickup, 0.3 // of the rider's home, wherever the pickup is
	case dropoff, c.says("rider", "residence") && !pickup:
		return importer.FieldPickup, 0.92
	case pickup:
		return importer.FieldDropoff, 0.85
	}

	return importer.FieldPickup, 0.8
}

// sidesOf returns the sides for which a header names the part.
func (s *Sheet) sidesOf(part importer.Field) map[importer.Field]bool {
	named := map[importer.Field]bool{}
	for _, c := range s.columns {
		if side := c.side(); side != "" && !c.says(harmless()...) && c.says(parts()[part].concepts...) {
			named[side] = true
		}
	}
	return named
}

// adjusted corrects a guess that depends on others: it turns a whole address into a street if the city has a column of
// its own, and a street into a whole address if it has not.
func adjusted(g Field, all []Field) Field {
	event, part := g.Field.Split()
	has := func(of importer.Field, sure float64, but *column) bool {
		return slices.ContainsFunc(all, func(x Field) bool { return x.Field == event.Of(of) && x.Sure >= sure && x.column != but })
	}
	inParts := has(importer.FieldCity, 0.6, nil) || !g.is(isFullAddress) && has(importer.FieldZip, 0.6, nil)
	switch {
	case part == mapping.FieldAddress && has(importer.FieldAddress1, 0.8, g.column):
		g.Sure *= 0.25
	case part == mapping.FieldAddress && inParts && !g.is(isWhole):
		g.Field = event.Of(importer.FieldAddress1)
	case part == importer.FieldAddress1 && !inParts && g.is(isWhole):
		g.Field = event.Of(mapping.FieldAddress)
	}
	return g
}
