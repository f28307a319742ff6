package xlsx

import (
	"cmp"
	"slices"
	"strings"
)

// A comment is a note on a cell, or a comment or reply of a thread.
type comment struct {
	Ref  string `xml:"ref,attr"`
	Text struct {
		OfThread string   `xml:",chardata"`
		Plain    []string `xml:"t"`
		Runs     []string `xml:"r>t"`
	} `xml:"text"`
}

// Comments returns what is written in the comments on the cells of a sheet, by rows and columns: in notes, and in threads. It
// reads no rows.
func (w *Workbook) Comments(s Sheet) (map[int]map[int]string, error) {
	found := map[int]map[int]string{}
	list, err := w.relationships(s.part)
	for _, r := range list {
		if r.Kind != "comments" && r.Kind != "threadedComment" {
			continue
		}
		var part struct {
			Notes   []comment `xml:"commentList>comment"`
			Threads []comment `xml:"threadedComment"`
		}
		err = cmp.Or(err, w.parts.decode(r.Target, &part))
		for _, c := range slices.Concat(part.Notes, part.Threads) {
			at, _ := parseRange([]byte(c.Ref)) // row 0 if that can't be read
			if found[at.FirstRow] == nil {
				found[at.FirstRow] = map[int]string{}
			}
			text := c.Text.OfThread + strings.Join(slices.Concat(c.Text.Plain, c.Text.Runs), "")
			found[at.FirstRow][at.FirstCol] += string(unescape([]byte(text))) + "\n"
		}
	}
	if err != nil {
		return nil, w.inputError(s.Name, err)
	}
	return found, nil
}
