package mapping

import (
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// rules returns the settings of the checks.
func (c *compiler) rules() *importer.Rules {
	s, rules := c.doc.Rules, importer.DefaultRules()
	rules.Location = c.dates.Zone
	rules.AllowPast = s.AllowPast
	c.decoder.choice(c.doc.Complete, "day", "part")
	rules.Complete = c.doc.Complete.Value == "day"
	if s.MaxDaysAhead != 0 {
		rules.MaxDaysAhead = s.MaxDaysAhead
	}
	if s.MaxDistanceRatio != 0 {
		rules.MaxDistanceRatio = s.MaxDistanceRatio
	}
	if s.DoubleBookingMinutes != 0 {
		rules.DoubleBookingMinutes = s.DoubleBookingMinutes
	}
	if s.MaxDaysAhead < 0 || s.MaxDistanceRatio < 0 || s.DoubleBookingMinutes < 0 {
		c.finding(s.position, "a limit is negative", "write a number above 0, or take the line out")
	}

	if a := s.Area; a != nil {
		rules.Area = importer.Area{South: a.South, West: a.West, North: a.North, East: a.East}
		if a.South >= a.North || a.West >= a.East {
			c.finding(s.position, "the area is empty", "give south below north and west below east; west is negative in America")
		}
	}

	rules.SpaceTypes = c.spaceTypes()
	rules.Severities = c.severities()
	return &rules
}

// severities returns the codes whose severity the mapping turns, each with the
// new one.
func (c *compiler) severities() map[string]importer.Severity {
	turned := map[string]importer.Severity{}
	for severity, codes := range [][]problemCode{importer.Fault: c.doc.Rules.Faults, importer.Notice: c.doc.Rules.Notices} {
		for _, code := range codes {
			if c.turnable(code.text) {
				turned[code.Value] = importer.Severity(severity)
			}
		}
	}
	return turned
}

// turnable reports whether a mapping may turn the severity of the problem with
// that code. If it may not, or if there is no such problem, it adds a finding.
func (c *compiler) turnable(code text) bool {
	var names []string
	for _, known := range importer.Codes() {
		switch {
		case known.Turnable && known.Code == code.Value:
			return true
		case known.Turnable:
			names = append(names, known.Code)
		case known.Code == code.Value:
			c.finding(code.position, fmt.Sprintf("%q is always a %s: no mapping can turn it", code.Value, known.Severity), "take it out")
			return false
		}
	}

	fix := "write the code that a check shows in brackets behind the problem, such as id-shape"
	if near := nearest(code.Value, names); near != "" {
		fix = fmt.Sprintf("did you mean %q?", near)
	}

	c.finding(code.position, fmt.Sprintf("there is no problem with the code %q", code.Value), fix)
	return false
}

// spaceTypes returns the space types that a trip may have: those that the rules
// list, or else all that the mapping can give. It returns nil if a column gives
// the space types as they are: then any is allowed.
func (c *compiler) spaceTypes() []string {
	if c.doc.Rules.SpaceTypes != nil {
		var codes []string
		for _, t := range c.doc.Rules.SpaceTypes {
			codes = append(codes, t.Value)
		}
		return codes
	}

	sources := []*source{c.doc.Trip.SpaceType}
	for _, p := range c.doc.Trip.AdditionalPassengers {
		if p.SpaceType != nil {
			sources = append(sources, &p.SpaceType.source)
		}
	}

	codes, known := c.possibleValues(sources)
	if !known {
		return nil
	}

	slices.Sort(codes)
	return slices.Compact(codes)
}

// possibleValues returns every value that the sources can have. known is false if
// a source can have any value.
func (c *compiler) possibleValues(sources []*source) (all []string, known bool) {
	for _, s := range sources {
		switch {
		case s == nil:
		case s.Table != nil:
			spec := c.tableSpec(s.Table)
			if spec == nil {
				return nil, false
			}
			for _, e := range spec.Entries {
				all = append(all, e.Value.Value)
			}
			for _, line := range c.tables[spec] {
				all = append(all, line.value)
			}
		case s.Const.given():
			all = append(all, values.Clean(s.Const.Value))
		case s.First != nil:
			some, known := c.possibleValues(s.First)
			if !known {
				return nil, false
			}
			all = append(all, some...)
		default:
			return nil, false
		}
	}

	return all, true
}
