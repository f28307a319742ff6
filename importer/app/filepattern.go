package app

import (
	"path/filepath"
	"regexp"
	"strings"
)

// numbers matches numbers with what stands between them, such as a date, a date and a time, or the (1) of a browser.
var numbers = regexp.MustCompile(`[ ._([-]*\d+(?:[ ._T-]*\d+)*[])]?`)

// patternOf derives from the name of one file a pattern for all files of its kind, and a name
// for them: from lakeshore_2026-12-02.csv it makes lakeshore*.csv and lakeshore.
func patternOf(path string) (pattern, name string) {
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(filepath.Base(path), ext)
	pattern = numbers.ReplaceAllString(base, "*")
	name = strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(pattern, "*", " ")), " "), " ._-")
	if name == "" { // the name is only a date, and the pattern would fit any file
		pattern, name = base, base
	}
	return strings.ReplaceAll(strings.TrimRight(pattern, "*"), "[", "?") + "*" + ext, name
}
