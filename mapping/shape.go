package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A shape is what an id must look like.
type shape struct {
	words   string // for people: "10 digits"
	digits  int    // how many; 0 for a pattern
	pattern *regexp.Regexp
}

var (
	digitShape = regexp.MustCompile(`^([1-9]\d*) digits$`)
	scientific = regexp.MustCompile(`^\d(?:[.,]\d+)?[Ee]\+\d+$`)
)

// maxNumberDigits is how many digits of a number a spreadsheet program keeps. It
// replaces the later ones with zeros.
const maxNumberDigits = 15

const fixDamagedID = "use the original export, and do not save it with Excel"

// isDamagedID reports whether a program has turned the id into a date, or into a
// number that has lost its last digits or may have lost them. It adds a fault if
// so.
func (r *rowContext) isDamagedID(v cellValue) bool {
	digits := 0
	if v.kind == importer.Number {
		digits = len(strings.TrimLeft(values.OnlyDigits(v.text), "0"))
	}

	switch {
	case strings.Contains(v.text, "+") && scientific.MatchString(v.text):
		r.report(importer.CodeSavedByExcel, fmt.Sprintf("the id has become the number %s: a spreadsheet program has changed it", v.text), fixDamagedID, v.col)
	case isChanged(v.text):
		r.report(importer.CodeSavedByExcel, fmt.Sprintf("the id has become %s: a program has changed it", v.text), fixDamagedID, v.col)
	case digits > maxNumberDigits:
		r.report(importer.CodeSavedByExcel, fmt.Sprintf("the id is stored as a number of %d digits, of which a spreadsheet program keeps %d: the last ones may be lost", digits, maxNumberDigits),
			"have the id exported as text, or use the original export", v.col)
	default:
		return false
	}
	return true
}

// isChanged reports whether an id looks like 2-Dec or Dec-26, as which Excel saves 2-12 and 12-26, or like 12345.0, as which
// programs save a number of which some rows have none.
func isChanged(id string) bool {
	if number, ok := strings.CutSuffix(id, ".0"); ok {
		return values.AllDigits(number)
	}
	before, after, ok := strings.Cut(id, "-")
	return ok && (len(before) <= 2 && values.AllDigits(before) && isMonth(after) || isMonth(before) && len(after) == 2 && values.AllDigits(after))
}

func isMonth(text string) bool {
	return len(text) == 3 && slices.Contains([]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}, text)
}

// shapeStep reports an id that does not have its shape. Even if no shape is
// given, it reports an id in scientific notation and one that has become a date:
// a spreadsheet program has changed them, and the id is lost.
func (c *compiler) shapeStep(s *source, u use) step {
	want := c.shape(s.Shape)
	if s.Shape.given() && !u.id && !u.key {
		c.finding(s.Shape.position, "shape is for ids, and this is none", "take it out; shape stands under trip_id, rider_id or linked_by")
	}
	if want == nil && (!u.id || !s.isColumn()) {
		return nil
	}
	return func(r *rowContext, v cellValue) cellValue {
		if v.text == "" || v.bad {
			return v
		}
		switch {
		case r.isDamagedID(v):
		case v.kind == importer.DateCell, v.kind == importer.DateTimeCell, v.kind == importer.TimeCell:
			r.report(importer.CodeSavedByExcel, fmt.Sprintf("the id has become a date or time (%s): a spreadsheet program has changed it", v.text), fixDamagedID, v.col)
		case want == nil || want.fits(v.text):
			return v
		case want.lostZeros(v.text):
			r.report(importer.CodeSavedByExcel, fmt.Sprintf("%q has %d digits where %s are wanted: it seems to have lost its leading zeros", v.text, len(v.text), want.words), fixDamagedID, v.col)
		default:
			r.report("id-shape", fmt.Sprintf("%q does not look like a %s: %s are wanted", v.text, FieldWords(r.field), want.words), "correct the id", v.col)
			return v
		}
		v.bad = true
		return v
	}
}

// shape reads "10 digits" or a pattern between slashes.
func (c *compiler) shape(t text) *shape {
	if !t.given() {
		return nil
	}

	if m := digitShape.FindStringSubmatch(t.Value); m != nil {
		digits, _ := strconv.Atoi(m[1])
		return &shape{words: t.Value, digits: digits}
	}

	if inner, ok := strings.CutPrefix(t.Value, "/"); ok && strings.HasSuffix(inner, "/") && len(inner) > 1 {
		return &shape{words: "characters as in " + t.Value, pattern: c.pattern(text{strings.TrimSuffix(inner, "/"), t.position})}
	}

	c.finding(t.position, fmt.Sprintf("%q is not a shape", t.Value), `write "10 digits" or a regular expression between slashes`)
	return nil
}

func (s *shape) fits(id string) bool {
	if s.pattern != nil {
		return s.pattern.MatchString(id)
	}
	return len(id) == s.digits && values.AllDigits(id)
}

// lostZeros reports whether the id consists of digits alone and has too few.
func (s *shape) lostZeros(id string) bool {
	return s.pattern == nil && len(id) < s.digits && values.AllDigits(id)
}
