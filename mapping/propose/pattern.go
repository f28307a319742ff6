package propose

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/mapping"
)

// A pattern is a way to recognise the column of a field: by concepts of its header,
// kinds of its values, or both.
type pattern struct {
	field    importer.Field // with sided in place of pickup or dropoff
	sure     float64
	concepts []string // all are required; "side" means pickup or dropoff
	kinds    []kind   // the values must be of one of these; of any kind if there are none
	harmless []string // further concepts of the header that change nothing
}

// sided replaces pickup or dropoff in the field of a pattern.
const sided importer.Field = "@"

// patternFile has a line for each pattern with its sources, like vocabularyFile; the
// source grammar means that it follows from the concepts alone. The harmless concepts
// of a field are those of its first line.
//
//go:embed fields.csv
var patternFile string

// wholePatterns has all patterns.
var wholePatterns = sync.OnceValue(func() []pattern { return patternsWithout("") })

// patternsWithout returns the patterns without those that come from the named layout
// alone.
func patternsWithout(layout string) []pattern {
	harmless := map[string][]string{}
	var all []pattern
	for _, r := range readTable(patternFile) {
		if harmless[r[0]] == nil {
			harmless[r[0]] = append(strings.Fields(r[4]), "harmless")
		}
		if r[5] == layout {
			continue
		}
		sure, err := strconv.ParseFloat(r[1], 64)
		if err != nil {
			panic("propose: fields.csv: " + err.Error())
		}
		all = append(all, pattern{importer.Field(r[0]), sure, strings.Fields(r[2]), kindsIn(r[3]), harmless[r[0]]})
	}
	return all
}

// keepsMeaning returns how likely a header keeps the meaning of its other concepts
// beside this one: an actual pickup time is no pickup time.
func keepsMeaning(concept string) float64 {
	switch concept {
	case "actual", "meta", "driver", "vehicledetail", "cost", "bid", "dob", "age", "body", "bariatric", "gender", "unloaded", "county", "zone", "doctor", "list", "return":
		return 0.1
	case "estimate", "standing", "child", "aidflag", "cancel", "business", "alt", "late":
		return 0.4
	}
	if strings.HasPrefix(concept, "?") {
		return 0.85
	}
	return 0.5
}

// certainty returns how sure it is that the column holds the pattern's field; 0 if it
// can't.
func (p *pattern) certainty(c *column) float64 {
	sure := p.sure
	if p.kinds != nil {
		switch {
		case c.filled == 0:
			sure *= 0.75
		case !slices.ContainsFunc(p.kinds, c.is):
			return 0
		}
	}

	side := false
	for _, need := range p.concepts {
		if need == "side" {
			need = string(c.side())
		}
		if !c.says(need) {
			return 0
		}
		side = side || need == string(c.side())
	}

	for _, x := range c.concepts {
		sure *= p.factor(x, side)
	}
	return sure
}

// factor returns how much of the certainty a concept of the header leaves. side reports
// that the pattern includes the side.
func (p *pattern) factor(concept string, side bool) float64 {
	isSide := concept == "pickup" || concept == "dropoff"
	switch {
	case slices.Contains(p.concepts, concept), slices.Contains(p.harmless, concept):
		return 1
	case isSide && (side || strings.HasPrefix(string(p.field), string(sided))):
		return 1
	}
	return keepsMeaning(concept)
}

// side returns the end of the trip that the header names; empty if it names none or
// both, as Appt/PU Time does.
func (c *column) side() importer.Field {
	switch pickup, dropoff := c.says("pickup"), c.says("dropoff", "appointment"); {
	case pickup && !dropoff:
		return importer.FieldPickup
	case c.says("dropoff") && !pickup:
		return importer.FieldDropoff
	}
	return ""
}

// A partOf is what is known about the columns of a field, or of a part of an event.
type partOf struct {
	kinds    []kind   // those that its values may have; any if there are none
	telling  []kind   // those by which it is known without a header
	concepts []string // those by which a header names it
}

//go:embed values.csv
var valuesFile string

var parts = sync.OnceValue(func() map[importer.Field]partOf {
	all := map[importer.Field]partOf{}
	for _, r := range readTable(valuesFile) {
		all[importer.Field(r[0])] = partOf{kindsIn(r[1]), kindsIn(r[2]), strings.Fields(r[3])}
	}
	return all
})

func kindsIn(list string) []kind {
	return importer.Each(strings.FieldsFunc(list, func(r rune) bool { return r == ';' }), func(k string) kind { return kind(k) })
}

// A doubt describes values that make it less likely that a column holds one of the
// fields or parts of events.
type doubt struct {
	parts []importer.Field
	has   func(*column) bool
	left  float64 // the factor for the certainty
}

func doubts() []doubt {
	names := []importer.Field{importer.FieldLocationName, importer.FieldEventName, importer.FieldEventComment}
	lines := append(names, importer.FieldAddress1, importer.FieldAddress2, mapping.FieldAddress)
	isAny := func(kinds ...kind) func(*column) bool {
		return func(c *column) bool { return slices.ContainsFunc(kinds, c.is) }
	}
	return []doubt{
		{[]importer.Field{importer.FieldSpaceType}, func(c *column) bool { return c.share(func(v cell) bool { return hasDigit(v.text) }) >= nearlyAll }, 0.55}, // Van 3 is a car
		{[]importer.Field{importer.FieldTripID, mapping.FieldLinkedBy}, func(c *column) bool { return c.filled >= 4 && len(c.distinct)*5 < 2*c.filled }, 0.5},  // two legs may share one
		{[]importer.Field{importer.FieldTripID}, func(c *column) bool { return len(c.distinct) < min(c.filled, mostDifferent) }, 0.98},
		{[]importer.Field{importer.FieldAddress2}, func(c *column) bool { return !c.mayBeUnit() }, 0.4},
		{[]importer.Field{importer.FieldDate}, isAny(isDateTime), 0.8},
		{names, isAny(isFullAddress, isStreet, isWhole, isSpace), 0.35},
		{lines, isAny(isLocality, isStateZIP, isDate, isDateTime, isTime), 0.25}, // 14-Dec-26 7:00 AM looks like a street
	}
}

// mayBeUnit reports whether the values may be apartments and the like: they have a digit or
// are short, and are not streets.
func (c *column) mayBeUnit() bool {
	short := c.share(func(v cell) bool { return hasDigit(v.text) || len(v.text) <= 3 })
	return c.is(isUnit) || short >= 0.3 && !c.is(isStreet) && !c.is(isFullAddress) && !c.is(isWhole)
}

// weighed returns how sure a guess is once the values are considered.
func (c *column) weighed(f importer.Field, sure float64) float64 {
	if c.filled == 0 {
		return sure * 0.8
	}
	sure *= 0.95 + 0.05*float64(c.filled)/float64(len(c.given)) // of two equal columns the fuller one is chosen
	_, part := f.Split()
	if part == importer.FieldSpaceType && c.is(isSpace) {
		return min(sure*1.1+0.05, 0.98)
	}
	for _, d := range doubts() {
		if slices.Contains(d.parts, part) && d.has(c) {
			return sure * d.left
		}
	}
	switch kinds := parts()[part].kinds; {
	case kinds == nil:
		return sure
	case slices.ContainsFunc(kinds, c.is):
		return min(sure*1.04, 0.98)
	}
	return sure * 0.25
}
