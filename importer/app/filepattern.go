package app

import (
	"path/filepath"
	"regexp"
	"strings"
)

// dated matches what changes from night to night in the name of a broker's file: a date, with
// or without a time, a number of four or more digits, or the number of a second download.
var dated = regexp.MustCompile(`(?i)[ ._-]*\d{8}T\d{4,6}Z?` +
	`|(?:^|[ ._-]+|\d{1,2}[ ._-]*)(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[ ._-]*\d(?:[ ._-]*\d)*` +
	`|[ ._-]*(?:\d+(?:[._-]\d+)+|\d{4,}(?:[ ._-]+\d+)*|[[(]\d+[])])`)

// patternOf makes from the name of one file the pattern for all files of its kind, and a name
// for them: lakeshore*.csv and lakeshore from lakeshore_2026-12-02.csv.
func patternOf(path string) (pattern, name string) {
	ext := filepath.Ext(path)
	pattern = strings.TrimSuffix(filepath.Base(path), ext)
	stars := dated.ReplaceAllString(pattern, "*")
	name = strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(stars, "*", " ")), " "), " ._-")
	if name != "" {
		pattern = strings.TrimRight(stars, "*")
	} else { // nothing but a date: the pattern would fit any file
		name = pattern
	}
	return strings.ReplaceAll(pattern, "[", "?") + "*" + ext, name
}
