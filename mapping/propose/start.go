package propose

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A Start says for which file a draft is, and from what it starts.
type Start struct {
	// File is the path of the file.
	File string
	// Own is the text of one of the office's mappings, and Template that of a template, from which the draft
	// starts; both are empty if it starts from the columns alone.
	Own, Template string
	// Known are the names that the service knows.
	Known Names
}

// DraftFor returns a draft for all files of the kind of one.
func (p *Proposal) DraftFor(s Start) Draft {
	pattern, name := PatternOf(s.File)
	d := p.Draft(name, s.Known)
	switch {
	case s.Own != "":
		d = p.DraftOf(anew(s.Own, pattern, name))
	case s.Template != "":
		d = p.DraftOf(s.Template)
	}
	d.Text = withSheet(forFiles(d.Text, pattern), p.SheetName)
	return d
}

// withSheet adds the name of the sheet to read, if there is one, and the text names none.
func withSheet(text, name string) string {
	if name == "" || namesSheet.MatchString(text) {
		return text
	}
	key := "sheet: " + strconv.Quote(name)
	with := strings.NewReplacer("\nread:\n", "\nread:\n  "+key+"\n", "\nread: {", "\nread: {"+key+", ").Replace(text)
	if with == text {
		return strings.Replace(text, "\ntrip:", "\nread: {"+key+"}\ntrip:", 1)
	}
	return with
}

// IsForSameFiles reports whether two mappings name the same files.
func IsForSameFiles(text, other string) bool {
	return filesLine.FindString(text) == filesLine.FindString(other)
}

// These match the lines of a mapping that begin it, and that say which files and which sheet it is for, and of whom.
var (
	firstLine  = regexp.MustCompile(`(?m)^mapping:.*$`)
	filesLine  = regexp.MustCompile(`(?m)^files:.*$`)
	namesSheet = regexp.MustCompile(`(?m)^(read: \{(.*, )?|  )sheet:`)
	brokerLine = regexp.MustCompile(`(?m)^broker: *([^#\n]*?) *(?:#.*)?$`)
)

// anew returns the text of a mapping for other files, which may be of another broker, with questions
// in place of the names that are the same in all rows.
func anew(text, files, broker string) string {
	text = filesLine.ReplaceAllLiteralString(text, fmt.Sprintf("files: %q", files))
	broker = strings.ReplaceAll(strconv.Quote(broker), "$", "$$")
	text = brokerLine.ReplaceAllString(text, "broker: "+broker+"    # was $1: write that, if it is the same broker")
	for name, ask := range map[string]string{"provider": "which transportation provider drives these trips?", "funding_source": "which funding source pays?"} {
		constant := regexp.MustCompile(`(?m)^( +)(` + name + `: \{const: [^{}]*\})[^\n]*$`)
		text = constant.ReplaceAllString(text, "$1# $2   # open: "+ask)
	}
	return text
}

// forFiles adds the pattern of the files that a mapping is for. Without a pattern, a mapping with a
// constant provider is never chosen by itself, because it would be used for any broker's file with
// these columns.
func forFiles(text, files string) string {
	if filesLine.MatchString(text) {
		return text
	}
	return firstLine.ReplaceAllStringFunc(text, func(line string) string {
		return line + fmt.Sprintf("\nfiles: %q    # the files it is for: change the name where yours differ", files)
	})
}

// numbers matches numbers with what stands between them, such as a date, a date and a time, or the (1) of a browser.
var numbers = regexp.MustCompile(`[ ._([-]*\d+(?:[ ._T-]*\d+)*[])]?`)

// ownNumber matches a number of so many digits that it is no date or time: it may say which provider's file it is.
var ownNumber = regexp.MustCompile(`^([ ._([-]*(?:\d{5}|\d{7}|\d{9,11}))(?:\D|$)`)

// PatternOf derives from the name of one file a pattern for all files of its kind, and a name
// for them: from lakeshore_2026-12-02.csv it makes lakeshore*.csv and lakeshore.
func PatternOf(path string) (pattern, name string) {
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
