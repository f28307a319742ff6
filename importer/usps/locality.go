package usps

import (
	"strings"
)

// canonicalCity returns a city in one spelling: St. Joseph and Saint Joseph,
// N. Bend and North Bend, Dearborn Hts and Dearborn Heights are the same.
func canonicalCity(ts []token) string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = cityWord(t.text, i == 0, len(ts) > 1)
	}
	return strings.Join(out, " ")
}

// cityWords has the spelling in which abbreviated words of a city are compared.
var cityWords = map[string]string{
	"st": "saint", "ste": "sainte", "mt": "mount", "ft": "fort", "pt": "point", "twp": "township",
}

// cityWord returns one word of a city in one spelling. A direction is shortened
// only at the beginning of a name of several words, a suffix only elsewhere.
func cityWord(w string, first, several bool) string {
	if whole := cityWords[w]; whole != "" {
		return whole
	}
	if d := Direction(w); first && several && d != "" {
		return d
	}
	if s := Suffix(w); !first && s != "" {
		return s
	}
	return w
}

// canonicalZIP returns the first five digits of a ZIP code, with the zeros that a
// spreadsheet dropped. It returns "?" and the text for what is no ZIP code, which
// then agrees only with the same text.
func canonicalZIP(s, state string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	if zip, _, ok := NormalZIP(s, state); ok {
		return zip[:5]
	}
	return "?" + s
}

// canonicalState returns the code of a state by its code or name. It returns "?"
// and the text for what is no state, which then agrees only with the same text.
func canonicalState(s string) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(s), ".", "")), " ")
	if s == "" {
		return ""
	}
	if state, ok := StateOf(s); ok {
		return state.Code
	}
	return "?" + s
}
