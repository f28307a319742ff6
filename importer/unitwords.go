package importer

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"tripimport/importer/usps"
)

// unitWords returns the words of addressTokens, with the value of each unit as one
// word: that of Apt 4-B, Apt 4 B, Apt No. 4B and Apt4B is "4b", that of Ste 0100 is
// "100". It changes tokens.
func unitWords(tokens []string) []string {
	tokens = splitUnits(tokens)
	words := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		word := tokens[i]
		if word == "," || word == "-" {
			continue
		}
		words = append(words, word)
		if designator, ok := usps.UnitOf(word); ok && designator.Value != usps.NoValue {
			if value, taken := unitAt(tokens[i+1:], designator); taken > 0 {
				words = append(words, value)
				i += taken
			}
		}
	}
	return words
}

// splitUnits splits designators from the values that are written in one word with them,
// as in apt4b. Short designators may be a state or a road: FL33101, RM12. It changes
// tokens.
func splitUnits(tokens []string) []string {
	for i := 0; i < len(tokens); i++ {
		word := tokens[i]
		at := strings.IndexFunc(word, isDigit)
		if at < len("apt") {
			continue
		}
		if u, ok := usps.UnitOf(word[:at]); ok && u.Value != usps.NoValue {
			tokens[i] = word[at:]
			tokens = slices.Insert(tokens, i, word[:at])
			i++
		}
	}
	return tokens
}

// unitAt returns the value of the unit at the beginning of the tokens, and the number of
// tokens that it takes. It returns "" and 0 if the tokens do not begin with the value of
// a unit.
func unitAt(tokens []string, designator usps.Unit) (value string, taken int) {
	for taken < len(tokens) && (tokens[taken] == "-" || isNumberWord(tokens[taken])) {
		taken++
	}
	if taken == len(tokens) || tokens[taken] == "," || !unitValue(tokens[taken]) || !designator.Fits(tokens[taken]) {
		return "", 0
	}

	value = tokens[taken]
	taken++
	if designator.Part != usps.Floor {
		second, n := secondPart(value, tokens[taken:])
		value, taken = value+second, taken+n
	}
	return cmp.Or(strings.TrimLeft(value, "0"), value), taken
}

// secondPart returns the second part of a unit whose first part is a number or a letter,
// and the number of tokens that it takes. A number and a letter are one unit if a hyphen
// joins them or nothing follows. Otherwise the number must come first, and the letter
// must not be a direction: the E of Apt 4 E Lansing belongs to the city, and the 12 of
// Apt B 12 Alder Ct is the house number.
func secondPart(first string, tokens []string) (second string, taken int) {
	after := slices.IndexFunc(tokens, func(token string) bool { return token != "-" })
	if after < 0 {
		return "", 0
	}
	hyphen := after > 0
	tokens, taken = tokens[after:], after

	second = tokens[0]
	numbered := allDigits(first) && isLetter(second)
	ends := len(tokens) == 1 || tokens[1] == ","
	free := numbered && usps.Direction(second) == "" && !ends && tokens[1] != "-" // c/o is no unit
	lettered := isLetter(first) && allDigits(second) && !isZIP5(second)
	if free || (numbered || lettered) && (hyphen || ends) {
		return second, taken + 1
	}
	return "", 0
}

func isNumberWord(word string) bool { return word == "no" || word == "num" || word == "number" }

func isLetter(word string) bool {
	return utf8.RuneCountInString(word) == 1 && !allDigits(word) && word != "," && word != "-"
}
