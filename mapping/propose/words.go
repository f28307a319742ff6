package propose

import (
	_ "embed"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tripimport/importer"
)

const (
	pickupTime  = importer.FieldPickup + "." + importer.FieldPickupTime
	dropoffAppt = importer.FieldDropoff + "." + importer.FieldApptTime
)

// A fieldWords lists the phrases that mean a field, and how sure that is.
type fieldWords struct {
	field   importer.Field
	sure    float64 // 0 where the values and the other columns say
	phrases []string
}

//go:embed words.csv
var wordsFile string

// oldVocabulary has the phrases of words.csv by their list:
//   - side: what places a header at one end of the trip. The first line that a header
//     has a phrase of decides.
//   - prefix: the same for headers in small letters without a gap: fromcity, tostate.
//   - part: what a header means, without the words of its side, as a part of a pickup
//     or a dropoff.
//   - trip: what a header means of the trip as a whole. A phrase has the side by the
//     name of its field, "dropoff requested time".
var oldVocabulary = sync.OnceValue(func() map[string][]fieldWords {
	records, err := csv.NewReader(strings.NewReader(wordsFile)).ReadAll()
	if err != nil {
		panic("propose: words.csv: " + err.Error())
	}

	lists := map[string][]fieldWords{}
	for _, r := range records[1:] {
		sure, _ := strconv.ParseFloat(r[2], 64) // empty for 0
		lists[r[0]] = append(lists[r[0]], fieldWords{importer.Field(r[1]), sure, strings.Split(r[3], "|")})
	}
	return lists
})

func partWords() []fieldWords { return oldVocabulary()["part"] }

func tripWords() []fieldWords { return oldVocabulary()["trip"] }

// sideOf returns the end of the trip at which a header's words place it, and the
// other words. The side is empty where they name none.
func sideOf(words []string) (side importer.Field, rest string) {
	for _, s := range oldVocabulary()["side"] {
		for _, phrase := range s.phrases {
			if rest, ok := without(words, strings.Fields(phrase)); ok {
				return s.field, rest
			}
		}
	}

	if len(words) != 1 {
		return "", strings.Join(words, " ")
	}

	for _, s := range oldVocabulary()["prefix"] {
		for _, prefix := range s.phrases {
			if rest, ok := strings.CutPrefix(words[0], prefix); ok && partOf(rest) != "" {
				return s.field, rest
			}
		}
	}

	return "", words[0]
}

// without cuts a phrase out of the words.
func without(words, phrase []string) (string, bool) {
	for i := 0; i+len(phrase) <= len(words); i++ {
		if strings.Join(words[i:i+len(phrase)], " ") == strings.Join(phrase, " ") {
			return strings.Join(append(append([]string{}, words[:i]...), words[i+len(phrase):]...), " "), true
		}
	}
	return "", false
}

// partOf returns the part of an event that a header means without the words of
// its side; it is empty where it means none.
func partOf(rest string) importer.Field {
	return meaning(partWords(), rest).field
}

// fieldOf returns what a header means of the trip as a whole, by the words that
// are left without those of its side; a zero value where it means nothing.
func fieldOf(side importer.Field, rest string) fieldWords {
	if side != "" {
		rest = string(side) + " " + rest
	}
	return meaning(tripWords(), rest)
}

func meaning(list []fieldWords, phrase string) fieldWords {
	for _, w := range list {
		if slices.Contains(w.phrases, phrase) {
			return w
		}
	}
	return fieldWords{}
}
