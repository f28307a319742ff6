// Package usps knows how the United States Postal Service writes addresses:
// the states, which ZIP codes lie in which state, and the words for streets,
// directions and units within a building, in every usual spelling.
//
// The words follow Publication 28, Postal Addressing Standards. Left out are
// words that are more often part of a street's name (key, pier, side, union)
// and spellings that stand for two words (tr, pk). The freely associated states
// (FM, MH, PW) are left out as well.
//
// The tables are embedded CSV files, each of which is loaded when it is first
// needed. All functions are safe for concurrent use. For what they do not know
// they return an empty result or false, never an error.
package usps

import (
	"bytes"
	"embed"
	"encoding/csv"
	"errors"
	"strings"
)

//go:embed *.csv
var files embed.FS

// table reads an embedded file and returns its records without the header. It
// panics if the file cannot be read, which the tests rule out.
func table(name string) [][]string {
	text, err := files.ReadFile(name)
	records, parseErr := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err = errors.Join(err, parseErr); err != nil {
		panic("usps: " + name + ": " + err.Error())
	}
	return records[1:]
}

// split parses a list of spellings.
func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ';' })
}

// shortForms reads a table of short forms and their other spellings, the commonest first.
// It returns the short form of each spelling.
func shortForms(name string) map[string]string {
	short := map[string]string{}
	for _, r := range table(name) {
		short[r[0]] = r[0]
		for _, s := range split(r[1]) {
			short[s] = r[0]
		}
	}
	return short
}
