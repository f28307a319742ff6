package usps

import (
	"cmp"
	"slices"
	"sync"
)

// A streetWord is what a word of an address stands for.
type streetWord struct {
	direction string // the short form of a compass direction; empty for any other word
	suffix    string // the short form of a street suffix; empty for any other word
	name      string // one spelling of the word in the name of a street or a city
}

// streetWords has the words that have several spellings, in lower case and without dots.
var streetWords = sync.OnceValue(func() map[string]streetWord {
	directions, suffixes, names := shortForms("directions.csv"), shortForms("suffixes.csv"), shortForms("names.csv")
	known := map[string]streetWord{}
	for _, table := range []map[string]string{directions, suffixes, names} {
		for word := range table {
			name := cmp.Or(suffixes[word], word)
			known[word] = streetWord{directions[word], suffixes[word], cmp.Or(names[name], name)}
		}
	}
	return known
})

// Suffix returns the short form of a street suffix: "ave" for "ave", "avenue" or
// "av". It returns "" for any other word. The word must be in lower case and
// without dots. Singular and plural are two suffixes.
func Suffix(word string) string { return streetWords()[word].suffix }

// Direction returns the short form of a compass direction: "ne" for "ne" or
// "northeast". It returns "" for any other word. The word must be in lower case
// and without dots.
func Direction(word string) string { return streetWords()[word].direction }

// standardWords returns the words of an address, each in one spelling. street is the
// index of the first word of the street, behind its number; -1 if the text has none. Two
// streets of one town never become equal: a suffix or a direction that is missing stays
// missing, and a direction that is the street's name keeps its spelling, because South St
// and S St are two streets.
func standardWords(ts []token, street int) []string {
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = t.text
	}
	for i, text := range words {
		word, known := streetWords()[text]
		switch {
		case !known:
		case word.direction == "":
			words[i] = word.name
		case !isBeforeSuffix(words, street, i) && !isBehindSuffix(words, street, i):
			words[i] = word.direction
		}
	}
	return words
}

// isBeforeSuffix reports whether a word alone is the street's name, before its suffix: the
// S of 12 S St and of 12 W S St.
func isBeforeSuffix(words []string, street, i int) bool {
	suffix := func(i int) bool { return i < len(words) && isSuffix(words[i]) }
	return street >= 0 && i >= street && suffix(i+1) && !suffix(i+2) &&
		!slices.ContainsFunc(words[street:i], func(before string) bool { return Direction(before) == "" })
}

// isBehindSuffix reports whether a word is the street's name, behind a suffix that the
// street begins with: the E of 12 Avenue E.
func isBehindSuffix(words []string, street, i int) bool {
	return street >= 0 && i == street+1 && isSuffix(words[street])
}

// isSuffix reports whether a word is a street suffix.
func isSuffix(w string) bool { return Suffix(w) != "" }

// isOrdinal reports whether a token is an ordinal in digits: 1st, 22nd, 103rd.
func isOrdinal(s string) bool {
	n := len(s) - 2
	return n > 0 && isDigits(s[:n]) && slices.Contains([]string{"st", "nd", "rd", "th"}, s[n:])
}
