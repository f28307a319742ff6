package mapping

import (
	"fmt"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A verdict says whether a condition holds for a row.
type verdict uint8

const (
	no verdict = iota
	yes
	unclear // a cell that the condition needs can't be read; the problem is reported
)

func verdictOf(holds bool) verdict {
	if holds {
		return yes
	}
	return no
}

// A test is a compiled condition.
type test func(*rowContext) verdict

// always is the test of a condition that a mapping does not give.
func always(*rowContext) verdict { return yes }

// condition compiles s. It adds the columns that it reads to into.
func (c *compiler) condition(s *condition, into *columnList) test {
	if s == nil {
		return always
	}
	if !c.oneOf(s.position, []givenKey{
		{"a list", s.either != nil},
		{"all", s.All != nil},
		{"not", s.Not != nil},
		{"flag", s.Flag != nil},
		{"is", s.Is != nil},
		{"matches", s.Matches.given()},
		{"filled", s.Filled.given()},
		{"above", s.Above.given()},
	}, "this does not say when it holds", "add is, matches, filled or above; or use flag for a column of yes and no", "keep one of them; for both write {all: [{…}, {…}]}") {
		return always
	}

	c.findVacuous(s)
	switch {
	case s.either != nil:
		return c.several(s.either, yes, into)
	case s.All != nil:
		return c.several(s.All, no, into)
	case s.Not != nil:
		return negated(c.condition(s.Not, into))
	case s.Flag != nil:
		return c.flag(s.Flag, into)
	}

	passes, read := c.valueTest(s), c.reader(&s.source, use{}, into)
	return func(r *rowContext) verdict {
		v := read(r)
		if v.bad {
			return unclear
		}
		return passes(r, v)
	}
}

// findVacuous reports a list that says nothing, and a word that no cell has.
func (c *compiler) findVacuous(s *condition) {
	if s.either != nil && len(s.either) == 0 || s.All != nil && len(s.All) == 0 || s.Is != nil && len(s.Is) == 0 {
		c.finding(s.position, "the list is empty", "write into it when it holds, or take it out")
	}
	for _, word := range s.Is {
		if text := values.FoldCase(word.Value); text == "" || text == emptyWord {
			c.finding(word.position, "a blank cell has no word", "write filled: no for a blank cell")
		}
	}
}

// several compiles a list of conditions. One condition with the decisive verdict
// decides for the whole list.
func (c *compiler) several(list []*condition, decisive verdict, into *columnList) test {
	parts := importer.Each(list, func(s *condition) test { return c.condition(s, into) })
	return func(r *rowContext) verdict {
		result := yes - decisive
		for _, part := range parts {
			switch part(r) {
			case decisive:
				return decisive
			case unclear:
				result = unclear
			}
		}
		return result
	}
}

func negated(holds test) test {
	return func(r *rowContext) verdict {
		switch holds(r) {
		case yes:
			return no
		case no:
			return yes
		}
		return unclear
	}
}

// valueTest compiles the test of a condition on its value.
func (c *compiler) valueTest(s *condition) func(*rowContext, cellValue) verdict {
	text := func(passes func(string) bool) func(*rowContext, cellValue) verdict {
		return func(_ *rowContext, v cellValue) verdict { return verdictOf(passes(v.text)) }
	}
	switch {
	case s.Is != nil:
		words := foldCases(s.Is)
		return text(func(t string) bool { return isAnyOf(t, words) })
	case s.Filled.given():
		filled := s.Filled.Value == "yes"
		return text(func(t string) bool { return (t != "") == filled })
	case s.Matches.given():
		re := c.pattern(s.Matches)
		return text(func(t string) bool { return re.MatchString(t) })
	}

	least, ok := values.Number(s.Above.Value)
	if !ok {
		c.finding(s.Above.position, fmt.Sprintf("%q is not a number", s.Above.Value), "write a number such as 0")
	}
	return func(r *rowContext, v cellValue) verdict {
		if v.text == "" {
			return no
		}
		n, ok := values.Number(v.text)
		if !ok {
			r.report("number-unreadable", fmt.Sprintf("%q is not a number", v.text), "write a number, or leave the cell empty", v.col)
			return unclear
		}
		return verdictOf(n > least)
	}
}

// flag compiles a column of yes and no. Any other word is a fault, not a no: it
// may be the only sign that a rider needs a way back.
func (c *compiler) flag(s *source, into *columnList) test {
	read := c.reader(s, use{}, into)
	return func(r *rowContext) verdict {
		cell := read(r)
		if cell.bad {
			return unclear
		}
		set, known := values.Flag(cell.text)
		if !known {
			r.report("flag-unknown", fmt.Sprintf("%q is neither yes nor no", cell.text), "write Yes or No", cell.col)
			r.offer(cell, []string{"Yes", "No"})
			return unclear
		}
		return verdictOf(set)
	}
}
