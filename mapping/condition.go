package mapping

import (
	"fmt"

	"tripimport/mapping/values"
)

// A verdict is what a condition comes to for one row.
type verdict uint8

const (
	no verdict = iota
	yes
	unclear // a cell that it needs can't be read; the problem is reported
)

func verdictOf(holds bool) verdict {
	if holds {
		return yes
	}
	return no
}

// condition compiles c. A condition that nobody gave always holds.
func (c *compiler) condition(s *condition) func(*rowContext) verdict {
	if s == nil {
		return func(*rowContext) verdict { return yes }
	}
	switch {
	case s.All != nil:
		return c.several(s.All, no)
	case s.Any != nil:
		return c.several(s.Any, yes)
	case s.Not != nil:
		return negated(c.condition(s.Not))
	case s.Flag != nil:
		return c.flag(s.Flag)
	}
	test := c.test(s)
	if test == nil {
		return c.expressionCondition(s)
	}
	v := c.value(&s.source)
	return func(r *rowContext) verdict {
		f := v.read(r)
		if f.bad {
			return unclear
		}
		return verdictOf(test(f.text))
	}
}

// several compiles conditions of which one that comes to decisive settles the
// whole.
func (c *compiler) several(list []*condition, decisive verdict) func(*rowContext) verdict {
	var parts []func(*rowContext) verdict
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

func negated(holds func(*rowContext) verdict) func(*rowContext) verdict {
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

// test compiles what a condition asks of its value; nil where it asks nothing,
// as an expression does not.
func (c *compiler) test(s *condition) func(string) bool {
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

func (c *compiler) expressionCondition(s *condition) func(*rowContext) verdict {
	if origins := s.origins(); len(origins) != 1 || origins[0] != "expr" {
		c.finding(s.position, "this does not say when it holds", "add is, is_not, matches or empty; or use flag for a column of yes and no")
		return c.condition(nil)
	}
	p := c.expression(s.Expr, true)
	if p == nil {
		return c.condition(nil)
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

// flag compiles a column of yes and no. A third word must not pass for no: it
// may be the only sign that a rider waits to be fetched back.
func (c *compiler) flag(s *source) func(*rowContext) verdict {
	v := c.value(s)
	return func(r *rowContext) verdict {
		f := v.read(r)
		if f.bad {
			return unclear
		}
		holds, known := values.Flag(f.text)
		if !known {
			r.fault(codeFlag, fmt.Sprintf("%q is neither yes nor no", f.text), "write Yes or No", f.col)
			return unclear
		}
		return verdictOf(holds)
	}
}
