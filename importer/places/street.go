package places

import (
	"strings"

	"tripimport/importer/usps"
)

// canonicalStreet gives one spelling to all spellings of a street's name:
// direction, name, suffix, direction. It joins nothing that two streets of one
// town could differ by: a missing suffix or direction stays missing, and a
// letter that is the whole name (S Street) is not the word (South Street).
func canonicalStreet(ts []token) string {
	ws := make([]string, len(ts))
	for i, t := range ts {
		ws[i] = t.s
	}
	ws = highway(ws)
	var pre, post, suffix string
	if len(ws) > 1 && usps.Direction(ws[0]) != "" && len(nameOf(ws[1:])) > 0 {
		pre, ws = usps.Direction(ws[0]), ws[1:]
	}
	if endsInDirection(ws) {
		post, ws = usps.Direction(ws[len(ws)-1]), ws[:len(ws)-1]
	}
	if len(ws) > 1 {
		if s := usps.Suffix(ws[len(ws)-1]); s != "" {
			suffix, ws = s, ws[:len(ws)-1]
		}
	}
	name := strings.Join(streetName(ws, suffix), " ")
	return strings.Join([]string{pre, name, suffix, post}, "|")
}

// isSuffix reports whether the word is a street suffix.
func isSuffix(w string) bool { return usps.Suffix(w) != "" }

// nameOf gives what is left of a street without its suffix and last direction.
func nameOf(ws []string) []string {
	if endsInDirection(ws) {
		ws = ws[:len(ws)-1]
	}
	if len(ws) > 0 && isSuffix(ws[len(ws)-1]) {
		ws = ws[:len(ws)-1]
	}
	return ws
}

// endsInDirection takes no letter for a direction that is a street's name:
// Avenue E is a street of its own.
func endsInDirection(ws []string) bool {
	n := len(ws)
	return n > 1 && usps.Direction(ws[n-1]) != "" && (n > 2 || !isSuffix(ws[0]) || len(usps.Direction(ws[n-1])) > 1)
}

// streetName spells out the words of the name proper.
func streetName(ws []string, suffix string) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = nameWord(w)
	}
	switch {
	case len(ws) == 1 && allDigits(ws[0]) && suffix != "":
		out[0] = ordinalOf(ws[0]) // 51 St is 51st St
	case len(ws) == 2 && allDigits(ws[0]) && ordinal(ws[0]+ws[1]):
		out = []string{ws[0] + ws[1]} // 51 st St
	}
	return out
}

// nameWord spells a word within a name.
func nameWord(w string) string {
	switch w {
	case "st":
		return "saint"
	case "mt":
		return "mount"
	case "ft":
		return "fort"
	case "dr":
		return "doctor"
	case "jr":
		return "junior"
	case "first":
		return "1st"
	case "second":
		return "2nd"
	case "third":
		return "3rd"
	case "fourth":
		return "4th"
	case "fifth":
		return "5th"
	case "sixth":
		return "6th"
	case "seventh":
		return "7th"
	case "eighth":
		return "8th"
	case "ninth":
		return "9th"
	case "tenth":
		return "10th"
	case "eleventh":
		return "11th"
	case "twelfth":
		return "12th"
	}
	if s := usps.Suffix(w); s != "" {
		return s
	}
	return w
}

func ordinalOf(digits string) string {
	n := len(digits)
	if n > 1 && digits[n-2] == '1' {
		return digits + "th"
	}
	switch digits[n-1] {
	case '1':
		return digits + "st"
	case '2':
		return digits + "nd"
	case '3':
		return digits + "rd"
	}
	return digits + "th"
}

// highway gives one spelling to the kinds of numbered roads. Kinds are never
// mixed: State Road 7 and County Road 7 are two roads.
func highway(ws []string) []string {
	for i := range ws {
		for _, n := range [...]int{4, 3, 2, 1} {
			if i+n >= len(ws) || !hasDigit(ws[i+n]) {
				continue
			}
			if kind := usps.Highway(strings.Join(ws[i:i+n], " ")); kind != "" {
				out := append(append([]string(nil), ws[:i]...), kind)
				return append(out, ws[i+n:]...)
			}
		}
	}
	return ws
}
