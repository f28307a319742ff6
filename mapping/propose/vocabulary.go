package propose

import (
	_ "embed"
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tripimport/importer"
)

// A vocabulary maps the words of headers to concepts: "pu" is a pickup, "appt" an
// appointment. It is read-only.
type vocabulary struct {
	concepts map[string]string // by word or phrase
	longest  int               // words of the longest phrase
}

// vocabularyFile has a line for each word or phrase with its concept and its source:
// the layouts that have it, a public standard (TDS is TCRP 210, NTD the National
// Transit Database, USPS Publication 28) or plain English or Spanish.
//
//go:embed vocabulary.csv
var vocabularyFile string

// wholeVocabulary has all words.
var wholeVocabulary = sync.OnceValue(func() *vocabulary { return vocabularyWithout("") })

// vocabularyWithout returns the vocabulary without the words that come from the
// named layout alone.
func vocabularyWithout(layout string) *vocabulary {
	v := &vocabulary{concepts: map[string]string{}}
	for _, r := range readTable(vocabularyFile) {
		if r[2] != layout {
			v.concepts[r[1]] = r[0]
			v.longest = max(v.longest, strings.Count(r[1], " ")+1)
		}
	}
	return v
}

// NamesRider reports whether a header is that of a rider's name.
func NamesRider(header string) bool {
	c := column{concepts: wholeVocabulary().conceptsOf(header)}
	return c.says("rider", "first", "last", "name") && !c.says("place", "facility", "side", "pickup", "dropoff", "address", "provider", "vendor", "payer", "driver", "doctor")
}

// readTable reads an embedded table without its header.
func readTable(text string) [][]string {
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		panic("propose: an embedded table can't be read: " + err.Error())
	}
	return records[1:]
}

// conceptsOf returns the concepts of the words of a header, in their order. An
// unknown word is its own concept, with a question mark before it.
func (v *vocabulary) conceptsOf(header string) []string {
	words := wordsOf(header)
	var found []string
	for i := 0; i < len(words); {
		n := min(v.longest, len(words)-i)
		for n > 1 && v.concepts[strings.Join(words[i:i+n], " ")] == "" {
			n--
		}
		if n > 1 {
			found = append(found, v.concepts[strings.Join(words[i:i+n], " ")])
		} else {
			found = append(found, v.word(words[i])...)
		}
		i += n
	}
	return slices.DeleteFunc(found, func(c string) bool { return c == "filler" })
}

// word returns the concepts of one word. It tries the word itself, its singular, and
// words written together, in this order. Digits mean nothing.
func (v *vocabulary) word(w string) []string {
	if c := v.concepts[w]; c != "" {
		return []string{c}
	}
	if strings.Trim(w, "0123456789") == "" {
		return nil
	}
	if c := v.concepts[strings.TrimSuffix(w, "s")]; c != "" && len(w) > 2 {
		return []string{c}
	}
	if parts := v.splitWord(w); parts != nil {
		return parts
	}
	return []string{"?" + w}
}

// splitWord returns the concepts of two words written together, such as
// DROPOFFZIP; nil if w is not that. The first part is as long as possible. Short
// parts count only at the ends: pu and do first, id last.
func (v *vocabulary) splitWord(w string) []string {
	for n := len(w) - 2; n >= 2; n-- {
		first, rest := v.concepts[w[:n]], w[n:]
		if first == "" || n < 3 && first != "pickup" && first != "dropoff" {
			continue
		}
		if c := v.concepts[rest]; c != "" && (len(rest) > 2 || c == "id") {
			return []string{first, c}
		}
	}
	return nil
}

// headerWords match the words of a header: letters or digits, of which a capital behind a small letter begins a new
// word, as in DropOffZip.
var headerWords = regexp.MustCompile(`\p{Nd}+|\p{Lu}+[^\P{L}\p{Lu}]*|[^\P{L}\p{Lu}]+`)

// explanation matches a header in which several words in parentheses explain the text before them, as those of
// "Time (HH:MM)" do. What follows them belongs to them.
var explanation = regexp.MustCompile(`(?s)^(\s*[^\s(].*?)\(\s*[^)\s]+(?:[/:,]|\s+[^)\s]).*$`)

// wordsOf splits a header into words in lower case, without an explanation.
func wordsOf(header string) []string {
	text := strings.NewReplacer("'", "", "’", "", "#", " number ").Replace(explanation.ReplaceAllString(header, "$1"))
	return importer.Each(headerWords.FindAllString(text, -1), strings.ToLower)
}

// knows reports whether a text has words, and all of them have concepts.
func (v *vocabulary) knows(text string) bool {
	words := wordsOf(text)
	return strings.ContainsFunc(text, isLetter) && !slices.ContainsFunc(words, func(w string) bool {
		concepts := v.word(w)
		return concepts != nil && strings.HasPrefix(concepts[0], "?")
	})
}
