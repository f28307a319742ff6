package check

import "tripimport/importer"

// words counts the words of status columns that are in none of the mapping's lists and that nobody has
// decided about.
type words struct {
	asked  []importer.NewWord // in the order of the rows
	counts map[string]int     // the rows that have a word, by its key
}

// keyOf returns what is the same of a word in all rows.
func keyOf(w *importer.NewWord) string { return w.Column + "\n" + importer.WordKey(w.Text) }

// note counts a row with its words.
func (w *words) note(m *importer.Mapped) {
	for _, word := range m.NewWords {
		key := keyOf(&word)
		if w.counts[key]++; w.counts[key] == 1 {
			w.asked = append(w.asked, word)
		}
	}
}

// questions returns, for each status column with new words, which they are and how many rows
// have them.
func (w *words) questions() []string {
	var columns, all []string
	said := map[string][]string{}
	for i := range w.asked {
		a := &w.asked[i]
		column, what := a.Cell.Header, a.Said()
		if a.FreeText {
			what = "what looks like a cancellation"
		}
		if said[column] == nil {
			columns = append(columns, column)
		}
		said[column] = append(said[column], importer.Counted(w.counts[keyOf(a)], "row says ", "rows say ")+what)
	}
	for _, column := range columns {
		all = append(all, importer.TheFirst(said[column], 5)+" in "+column+", which nobody has approved")
	}
	return all
}
