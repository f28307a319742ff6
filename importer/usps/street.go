package usps

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

var (
	suffixes   = words("suffixes.csv")
	directions = words("directions.csv")
	highways   = words("highways.csv")
	names      = words("names.csv")
)

// Suffix returns the short form of a street suffix: "ave" for "ave", "avenue" or
// "av". It returns "" for any other word. The word must be in lower case and
// without dots. Singular and plural are two suffixes.
func Suffix(word string) string { return suffixes().short[word] }

// Direction returns the short form of a compass direction: "ne" for "ne" or
// "northeast". It returns "" for any other word. The word must be in lower case
// and without dots.
func Direction(word string) string { return directions().short[word] }

// A streetWord is what a word of an address stands for.
type streetWord struct{ direction, name string }

// streetWords has the words that StreetWord does not return unchanged.
var streetWords = sync.OnceValue(func() map[string]streetWord {
	known := map[string]streetWord{}
	for _, t := range []wordTable{directions(), suffixes(), names()} {
		for word := range t.short {
			known[word] = streetWord{Direction(word), NameWord(cmp.Or(Suffix(word), word))}
		}
	}
	return known
})

// StreetWord returns the Direction of a word, and one spelling of the word as anything
// else: the NameWord of its Suffix, or of the word itself if it is not a suffix. It
// looks up one table where these functions look up several.
func StreetWord(word string) (direction, name string) {
	if w, ok := streetWords()[word]; ok {
		return w.direction, w.name
	}
	return "", word
}

// NameWord returns one spelling of a word in the name of a street or a city: "st"
// for "saint", "1st" for "first", and the short form of a suffix. It returns any other
// word as it is. The word must be in lower case and without dots.
func NameWord(word string) string { return cmp.Or(names().short[word], Suffix(word), word) }

// Highway returns one name for each kind of numbered road: "countyroad" for
// "county road", "co rd" or "cr". It returns "" for any other words. The words
// must be in lower case, without dots, with one space between them.
//
// The kinds are distinct roads: State Road 7 and County Road 7 are not the same.
func Highway(words string) string { return highways().short[words] }

// highwayStarts has the first word of each name of a kind of road.
var highwayStarts = sync.OnceValue(func() map[string]bool {
	starts := map[string]bool{}
	for words := range highways().short {
		first, _, _ := strings.Cut(words, " ")
		starts[first] = true
	}
	return starts
})

// WithHighway replaces the words before a number that name a kind of road by one
// name of the kind: County Rd 7 and CR 7 are the same. It does not change words.
func WithHighway(words []string) []string {
	starts := highwayStarts()
	for i, word := range words {
		if !starts[word] {
			continue
		}
		for _, n := range [...]int{4, 3, 2, 1} {
			if i+n >= len(words) || !strings.ContainsAny(words[i+n], "0123456789") {
				continue
			}
			if kind := Highway(strings.Join(words[i:i+n], " ")); kind != "" {
				return slices.Concat(words[:i], []string{kind}, words[i+n:])
			}
		}
	}
	return words
}
