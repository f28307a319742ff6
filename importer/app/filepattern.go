package app

import (
	"path/filepath"
	"regexp"
	"strings"
)

// monthDate matches a date in which the month is a name, or the number that a browser gives
// to a second download, such as (1).
var monthDate = regexp.MustCompile(`(?i)(?:^|[ ._-]+|\d{1,2}[ ._-]*)(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[ ._-]*\d(?:[ ._-]*\d)*` +
	`|[ ._-]*[[(]\d+[])]`)

// numbers matches a sequence of numbers, and number the first number of such a sequence.
var (
	numbers = regexp.MustCompile(`(?i)[ ._-]*\d+(?:[ ._-]*T?\d+)*Z?`)
	number  = regexp.MustCompile(`(?i)^[ ._-]*T?(\d+)`)
)

// wholeDate matches a date that is one number, also one with a time or without a year.
// dateParts matches the first two parts of a date whose parts are separate numbers.
var (
	wholeDate = regexp.MustCompile(strings.ReplaceAll(`^(?:20\d\d|MD(?:(?:20)?\d\d)?|(?:20)?\d\dMD|20\d\dMD\d{4,6})$`,
		"MD", `(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2]))`))
	dateParts = regexp.MustCompile(`^[ ._-]*(?:\d{1,2}|20\d\d)[._-]\d{1,2}(?:\D|$)`)
)

// undated replaces the first date in a sequence of numbers, and all that follows it, by a
// star. Other numbers stay, because a number in a file's name may identify a provider.
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

// patternOf derives from the name of one file a pattern for all files of its kind, and a name
// for them: from lakeshore_2026-12-02.csv it makes lakeshore*.csv and lakeshore.
func patternOf(path string) (pattern, name string) {
	ext := filepath.Ext(path)
	pattern = strings.TrimSuffix(filepath.Base(path), ext)
	stars := numbers.ReplaceAllStringFunc(monthDate.ReplaceAllString(pattern, "*"), undated)
	name = strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(stars, "*", " ")), " "), " ._-")
	if name != "" {
		pattern = strings.TrimRight(stars, "*")
	} else { // the name is only a date, and the pattern would fit any file
		name = pattern
	}
	return strings.ReplaceAll(pattern, "[", "?") + "*" + ext, name
}
