package mapping

import (
	"fmt"
	"slices"

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

// condition compiles s.
func (c *compiler) condition(s *condition) test {
	switch {
	case s == nil:
		return always
	case s.All != nil:
		return c.several(s.All, no)
	case s.Any != nil:
		return c.several(s.Any, yes)
	case s.Not != nil:
		return negated(c.condition(s.Not))
	case s.Flag != nil:
		return c.flag(s.Flag)
	}

	passes := c.textTest(s)
	if passes == nil {
		return c.expressionCondition(s)
	}

	var v *value
	before := len(c.met)
	c.asRule(c.inRule && s.Empty == nil, func() { v = c.value(&s.source) })
	c.know(before, foldCases(slices.Concat(s.Is, s.IsNot)), !s.Extract.given() && s.Replace == nil)
	return func(r *rowContext) verdict {
		cell := v.read(r)
		if cell.bad {
			return unclear
		}
		return verdictOf(passes(cell.text))
	}
}

// several compiles a list of conditions. One condition with the decisive verdict
// decides for the whole list.
func (c *compiler) several(list []*condition, decisive verdict) test {
	var parts []test
	for _, s := range list {
		parts = append(parts, c.condition(s))
	}

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

// textTest compiles the test of a condition on the text of its value; it is nil
// if there is none.
func (c *compiler) textTest(s *condition) func(string) bool {
	switch {
	case s.Is != nil:
		words := foldCases(s.Is)
		return func(t string) bool { return isAnyOf(t, words) }
	case s.IsNot != nil:
		words := foldCases(s.IsNot)
		return func(t string) bool { return !isAnyOf(t, words) }
	case s.Empty != nil:
		empty := *s.Empty
		return func(t string) bool { return (t == "") == empty }
	case s.Matches.given():
		re := c.pattern(s.Matches)
		return func(t string) bool { return re.MatchString(t) }
	}

	return nil
}

// expressionCondition compiles a condition that is an expression.
func (c *compiler) expressionCondition(s *condition) test {
	if keys := s.originKeys(); len(keys) != 1 || keys[0] != "expr" {
		c.finding(s.position, "this does not say when it holds", "add is, is_not, matches or empty; or use flag for a column of yes and no")
		return always
	}

	p := c.expression(s.Expr, true)
	if p == nil {
		return always
	}

	return func(r *rowContext) verdict {
		result, ok := p.run(r)
		holds, isBool := result.(bool)
		if !ok || !isBool {
			return unclear
		}
		return verdictOf(holds)
	}
}

// flag compiles a column of yes and no. Any other word is a fault, not a no: it
// may be the only sign that a rider needs a way back.
func (c *compiler) flag(s *source) test {
	var v *value
	c.asRule(false, func() { v = c.value(s) }) // the column needs no list of words: any other word is a fault
	return func(r *rowContext) verdict {
		cell := v.read(r)
		if cell.bad {
			return unclear
		}
		set, known := values.Flag(cell.text)
		if !known {
			r.fault("flag-unknown", fmt.Sprintf("%q is neither yes nor no", cell.text), "write Yes or No", cell.col)
			return unclear
		}
		return verdictOf(set)
	}
}
