package app

import (
	"path/filepath"
	"regexp"
	"strings"
)

// monthDate matches a date with the name of its month, and the number of a second download.
var monthDate = regexp.MustCompile(`(?i)(?:^|[ ._-]+|\d{1,2}[ ._-]*)(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[ ._-]*\d(?:[ ._-]*\d)*` +
	`|[ ._-]*[[(]\d+[])]`)

// numbers matches numbers that follow each other, and number the first of them.
var (
	numbers = regexp.MustCompile(`(?i)[ ._-]*\d+(?:[ ._-]*T?\d+)*Z?`)
	number  = regexp.MustCompile(`(?i)^[ ._-]*T?(\d+)`)
)

// wholeDate matches the digits of a date, also with a time or without a year, and dateParts the
// first two parts of a date that has its parts apart.
var (
	wholeDate = regexp.MustCompile(strings.ReplaceAll(`^(?:20\d\d|MD(?:(?:20)?\d\d)?|(?:20)?\d\dMD|20\d\dMD\d{4,6})$`,
		"MD", `(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2]))`))
	dateParts = regexp.MustCompile(`^[ ._-]*(?:\d{1,2}|20\d\d)[._-]\d{1,2}(?:\D|$)`)
)

// undated replaces the first date in numbers that follow each other, and what comes after it, by
// a star. Other numbers stay: brokers tell providers apart by them.
func undated(text string) string {
	for i := 0; i < len(text); {
		next := number.FindStringSubmatch(text[i:])
		if next == nil {
			break
		}
		if wholeDate.MatchString(next[1]) || dateParts.MatchString(text[i:]) {
			return text[:i] + "*"
		}
		i += len(next[0])
	}
	return text
}

// patternOf makes from the name of one file the pattern for all files of its kind, and a name
// for them: lakeshore*.csv and lakeshore from lakeshore_2026-12-02.csv.
func patternOf(path string) (pattern, name string) {
	ext := filepath.Ext(path)
	pattern = strings.TrimSuffix(filepath.Base(path), ext)
	stars := numbers.ReplaceAllStringFunc(monthDate.ReplaceAllString(pattern, "*"), undated)
	name = strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(stars, "*", " ")), " "), " ._-")
	if name != "" {
		pattern = strings.TrimRight(stars, "*")
	} else { // nothing but a date: the pattern would fit any file
		name = pattern
	}
	return strings.ReplaceAll(pattern, "[", "?") + "*" + ext, name
}
