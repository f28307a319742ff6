package places

import (
	"strings"

	"tripimport/importer/usps"
)

// canonicalCity gives one spelling to a city's: St. and Saint, N. and North,
// Hts and Heights.
func canonicalCity(ts []token) string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = cityWord(t.s, i == 0, len(ts) > 1)
	}
	return strings.Join(out, " ")
}

func cityWord(w string, first, several bool) string {
	switch w {
	case "st":
		return "saint"
	case "ste":
		return "sainte"
	case "mt":
		return "mount"
	case "ft":
		return "fort"
	case "pt":
		return "point"
	case "twp":
		return "township"
	}
	if d := usps.Direction(w); first && several && d != "" {
		return d
	}
	if s := usps.Suffix(w); !first && s != "" {
		return s
	}
	return w
}

// canonicalZip gives the five digits of a ZIP, with or without its last four,
// and with the zeros that a spreadsheet dropped. What is no ZIP agrees with
// none.
func canonicalZip(s, state string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	if zip, _, ok := usps.NormalZIP(s, state); ok {
		return zip[:5]
	}
	return "?" + s
}

// canonicalState gives a state's two letters by its code or its name. What is
// no state agrees with none.
func canonicalState(s string) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(s), ".", "")), " ")
	if s == "" {
		return ""
	}
	if state, ok := usps.StateOf(s); ok {
		return state.Code
	}
	return "?" + s
}
