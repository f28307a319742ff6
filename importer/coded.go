package importer

import (
	"fmt"
	"slices"
)

// codeOf returns the text of a value in the list of its type: its code, its word or its words for people.
// It returns "" for a number that the list does not have.
func codeOf[T ~uint8](list []string, v T) string {
	if int(v) >= len(list) {
		return ""
	}
	return list[v]
}

// ofCode is the inverse of codeOf. It reports false for a text that is not in the list, and then returns
// the zero value.
func ofCode[T ~uint8](list []string, code string) (T, bool) {
	i := slices.Index(list, code)
	return T(max(0, i)), i >= 0
}

// parseCode parses a code of one of the lists whose codes never change.
func parseCode[T ~uint8](to *T, code []byte, list []string) error {
	known, ok := ofCode[T](list, string(code))
	if !ok {
		return fmt.Errorf("the word %q is not known to this program", code)
	}
	*to = known
	return nil
}
