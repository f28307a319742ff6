package app

import (
	"path/filepath"
	"regexp"
	"strings"
)

// numbers matches numbers with what stands between them, such as a date, a date and a time, or the (1) of a browser.
var numbers = regexp.MustCompile(`[ ._([-]*\d+(?:[ ._T-]*\d+)*[])]?`)

// ownNumber matches a number of so many digits that it is no date or time: it may say which provider's file it is.
var ownNumber = regexp.MustCompile(`^([ ._([-]*(?:\d{5}|\d{7}|\d{9,11}))(?:\D|$)`)

// patternOf derives from the name of one file a pattern for all files of its kind, and a name
// for them: from lakeshore_2026-12-02.csv it makes lakeshore*.csv and lakeshore.
func patternOf(path string) (pattern, name string) {
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(filepath.Base(path), ext)
	pattern = numbers.ReplaceAllStringFunc(base, func(n string) string {
		if own := ownNumber.FindStringSubmatch(n); own != nil {
			return own[1] + "*"
		}
		return "*"
	})
	name = strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(pattern, "*", " ")), " "), " ._-")
	if name == "" { // the name is only a date, and the pattern would fit any file
		pattern, name = base, base
	}
	return strings.ReplaceAll(strings.TrimRight(pattern, "*"), "[", "?") + "*" + ext, name
}
