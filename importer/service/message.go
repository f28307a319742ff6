package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tripimport/importer"
)

// maxMessage is the largest number of characters of a message.
const maxMessage = 500

// errorText returns the service's message in a reply that is not a success. The contract
// does not show the structure of errors, so errorText returns the fields for a message and for errors
// if there are such, since what stands beside them may be the trip, and otherwise the whole body.
func errorText(r reply) string {
	if isPage(r) {
		return fmt.Sprintf("a web page came back instead of the service's answer (HTTP status %d)", r.status)
	}

	var parts []string
	fields, _ := parseObject(r.body) // none if it is not an object
	for _, f := range fields {
		var text string
		switch {
		case (f.field == "errors" || f.field == "modelstate") && bytes.ContainsRune(f.value, '"'): // it lists something
			parts = append(parts, oneLine(string(f.value)))
		case f.field == "message" && json.Unmarshal(f.value, &text) == nil && strings.TrimSpace(text) != "":
			parts = append(parts, text)
		}
	}
	if parts != nil {
		return strings.Join(parts, "; ")
	}

	text := oneLine(string(r.body))
	if text == "" || text == "{}" || text == "[]" || text == "null" {
		return fmt.Sprintf("the service gave no reason (HTTP status %d)", r.status)
	}
	return text
}

// sanitize makes a text from the service safe to display: on one line, without
// control characters and marks that change the writing direction, with *** for
// secrets that the service repeated, and at most maxMessage characters long.
func sanitize(text string, secrets ...importer.Secret) string {
	// Remove invisible characters first, because they could hide a secret.
	text = mask(oneLine(text), secrets)
	runes := []rune(text)
	if len(runes) > maxMessage {
		return string(runes[:maxMessage-1]) + "…"
	}
	return text
}

// oneLine removes invisible characters and replaces every run of white space by one
// space.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar, !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// mask replaces each secret by ***, regardless of letter case, also if it is escaped for
// JSON, URLs or HTML.
func mask(text string, secrets []importer.Secret) string {
	var spellings []string
	for _, s := range secrets {
		plain := s.Reveal()
		quoted, _ := json.Marshal(plain) // a string can always be encoded
		for _, spelling := range []string{
			plain, oneLine(plain), string(quoted[1 : len(quoted)-1]),
			url.QueryEscape(plain), url.PathEscape(plain), html.EscapeString(plain),
		} {
			if spelling != "" {
				spellings = append(spellings, regexp.QuoteMeta(spelling))
			}
		}
	}
	if spellings == nil {
		return text
	}

	// The longest first, since one spelling may begin with another.
	slices.SortFunc(spellings, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return regexp.MustCompile("(?i)"+strings.Join(spellings, "|")).ReplaceAllLiteralString(text, "***")
}

// isPage reports whether a reply is HTML or XML, by its Content-Type or by its
// first character.
func isPage(r reply) bool {
	if strings.Contains(strings.ToLower(r.header.Get("Content-Type")), "html") {
		return true
	}
	return bytes.HasPrefix(bytes.TrimSpace(r.body), []byte("<"))
}
