package usps

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// IsZIP reports whether text is a ZIP code in one of the forms that the Postal
// Service uses: five digits, or nine with or without a hyphen after the fifth.
func IsZIP(text string) bool {
	five, _, ok := cutZIP(text)
	return ok && len(five) == 5 && !strings.Contains(text, " ")
}

// NormalZIP returns a ZIP code as five digits, or as nine with a hyphen. Nine
// digits may have a space instead of the hyphen, or nothing.
//
// It puts back the zeros that a spreadsheet drops from a number, and reports
// that as restored: one for Massachusetts (2139 is 02139), two for Puerto Rico
// and the Virgin Islands (601 is 00601). It does so only if the result is a ZIP code of
// the state, which is a code or a name as StateOf takes it.
//
// It reports ok as false for anything else.
func NormalZIP(text, state string) (zip string, restored, ok bool) {
	five, four, ok := cutZIP(strings.TrimSpace(text))
	missing := 5 - len(five)
	if !ok || missing < 0 {
		return "", false, false
	}
	if missing > 0 {
		five, restored = strings.Repeat("0", missing)+five, true
		if s, known := StateOf(state); !known || ZIPState(five) != s.Code {
			return "", false, false
		}
	}
	if four != "" {
		five += "-" + four
	}
	return five, restored, true
}

// ZIPState returns the code of the state in which a ZIP code lies, the armed
// forces included. It looks at the first five characters. It returns "" for a ZIP
// code that no state has, and for anything else.
//
// The first three digits determine the state, except for a few ZIP codes that lie
// in a neighbouring state: 06390 is Fishers Island, New York.
func ZIPState(zip string) string {
	if len(zip) < 5 || !isDigits(zip[:3]) {
		return ""
	}
	return cmp.Or(zips()[zip[:5]], zips()[zip[:3]])
}

// zips are the states by the first three digits of their ZIP codes, and by the whole ZIP code
// where it lies in a neighbouring state.
var zips = sync.OnceValue(func() map[string]string {
	states := map[string]string{}
	for _, r := range table("zips.csv") {
		from, _ := strconv.Atoi(r[0])
		to, _ := strconv.Atoi(r[1])
		for n := from; n <= to; n++ {
			states[fmt.Sprintf("%0*d", len(r[0]), n)] = r[2]
		}
	}
	return states
})

// cutZIP cuts a ZIP code before its last four digits: at its hyphen or space,
// or, without either, if it has more than five characters. It reports false for what has
// anything but digits there.
func cutZIP(text string) (five, four string, ok bool) {
	switch i := max(strings.IndexByte(text, '-'), strings.IndexByte(text, ' ')); {
	case i >= 0:
		five, four = text[:i], text[i+1:]
	case len(text) > 5:
		five, four = text[:len(text)-4], text[len(text)-4:]
	default:
		return text, "", isDigits(text)
	}
	return five, four, isDigits(five) && len(four) == 4 && isDigits(four)
}

const digits = "0123456789"

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
