package mapping

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A section are the rows below a title, up to the next one. A title is a row with one cell, which is a text. Word is
// what people are asked about the rows: the title looks like a cancellation. It is nil for other titles.
type section struct {
	row  int // of the title
	word *importer.NewWord
}

// ReadTitles reads all rows below the headers to learn under which titles they stand. Measure does so too. It must be
// called before the first Map, and returns the error of the rows.
func (b *Bound) ReadTitles(rows iter.Seq2[importer.Row, error]) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		b.noteTitle(row)
	}
	slices.SortFunc(b.sections, func(a, b section) int { return a.row - b.row }) // rows of results may be sorted
	return nil
}

// noteTitle notes the row if it is a title.
func (b *Bound) noteTitle(row importer.Row) {
	const longest = 30
	col := slices.IndexFunc(row.Cells, func(c importer.Cell) bool { return c.Type != importer.Empty })
	if FilledCells(row) != 1 || row.Cells[col].Type != importer.Text || !strings.ContainsFunc(row.Cells[col].Text, unicode.IsLetter) {
		return
	}
	title := section{row: row.Num}
	if text := values.Clean(row.Cells[col].Text); len(text) <= longest && LooksCancelled(text) {
		at := row.Ref(col + 1)
		at.Header = fmt.Sprintf("the title in row %d", row.Num)
		title.word = &importer.NewWord{Column: "(title)", Text: text, Cell: at}
	}
	b.sections = append(b.sections, title)
}

// addTitle adds the word of the title above the row to the words about which people are asked.
func (b *Bound) addTitle(r *rowContext, m *importer.Mapped) {
	i, isTitle := slices.BinarySearchFunc(b.sections, r.row.Num, func(s section, num int) int { return cmp.Compare(s.row, num) })
	if !isTitle && i > 0 && b.sections[i-1].word != nil {
		m.NewWords = append(m.NewWords, *b.sections[i-1].word)
	}
}
