package xlsx

import (
	"regexp"
	"strings"
	"sync"
)

// A numberKind says what a number format shows a number as.
type numberKind uint8

const (
	plainNumber numberKind = iota
	dateOnly
	timeOnly
	dateAndTime
	elapsedTime
)

// A format is a parsed number format. The zero format is General.
type format struct {
	code string // as importer.Cell has it: empty for General
	kind numberKind
	// padded are the layouts of a number with leading zeros, such as 00000-0000. Their zeros are
	// places for digits. It is empty for any other format.
	padded []string
}

// isPlain reports whether the format shows a number as it is.
func (f format) isPlain() bool { return f.kind == plainNumber && f.padded == nil }

// formatPatterns match parts of a format code.
type formatPatterns struct {
	elapsed  *regexp.Regexp // the hours, minutes or seconds of an elapsed time
	literal  *regexp.Regexp // what is no code: texts, escaped and fill characters, colours, languages and conditions
	clock    *regexp.Regexp // hours, minutes, seconds and AM/PM: an m is a minute after an h or before an s
	notShown *regexp.Regexp // what a cell does not show of a literal
}

var patterns = sync.OnceValue(func() formatPatterns {
	return formatPatterns{
		elapsed:  regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`),
		literal:  regexp.MustCompile(`"[^"]*"?|\\.?|[_*].?|\[[^\]]*\]?`),
		clock:    regexp.MustCompile(`am/pm|a/p|h+[^a-z]*m{0,2}|m{1,2}[^a-z]*s+|s+`),
		notShown: regexp.MustCompile(`[_*].|\[[^\]]*\]|["\\]`),
	}
})

// parseFormat parses a format code. It accepts any text, since a format decides
// how a number looks and not which number it is. The sections of a format, such as the one for
// negative numbers, are not told apart but by their places for digits: [<=99999]00000;00000-0000
// is for ZIP codes of both lengths.
//
// xuri/nfp, which parses format codes too, is not used: it reads E- as a year
// and percent signs and AM/PM in quoted text as part of the format, and drops
// the token before AM/PM.
func parseFormat(code string) format {
	if strings.EqualFold(code, "General") {
		return format{}
	}
	f := format{code: code}
	parts := strings.ToLower(patterns().literal.ReplaceAllString(code, ""))
	dates := patterns().clock.ReplaceAllString(parts, "")
	hasDate, hasClock := strings.ContainsAny(dates, "ymd"), dates != parts
	switch {
	case patterns().elapsed.MatchString(code):
		f.kind = elapsedTime
	case hasDate && hasClock:
		f.kind = dateAndTime
	case hasDate:
		f.kind = dateOnly
	case hasClock:
		f.kind = timeOnly
	default:
		for section := range strings.SplitSeq(code, ";") {
			layout := paddedLayout(section)
			if layout == "" {
				break
			}
			f.padded = append(f.padded, layout)
		}
	}
	return f
}

// paddedLayout returns the layout of a section that shows leading zeros, and "" for any other.
func paddedLayout(section string) string {
	places := patterns().literal.ReplaceAllString(section, "")
	layout := patterns().notShown.ReplaceAllString(section, "")
	zeros := strings.Count(places, "0")
	if zeros < 2 || strings.Trim(places, "0-() ") != "" || strings.Count(layout, "0") > zeros {
		return ""
	}
	return layout
}
