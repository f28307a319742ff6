package mapping

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// suggest returns "did you mean" with the nearest of the names. If none is near
// and there are few, it lists them after the introduction. Suggestions are never
// applied, because the nearest header is too often another column.
func suggest(word string, names []string, introduction string) string {
	if n := nearest(word, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(names) == 0 || len(names) > 24 {
		return ""
	}
	names = slices.Clone(names)
	slices.Sort(names)
	return introduction + " " + strings.Join(names, ", ")
}

// nearest returns the name that is nearest to word. It is empty if no name is
// near: in each, more than a third of the letters differ and neither text
// contains the other.
func nearest(word string, names []string) string {
	w := values.HeaderKey(word)
	if w == "" {
		return ""
	}

	best, least := "", 0.36 // the share of letters that differ
	for _, name := range names {
		n := values.HeaderKey(name)
		if n == "" {
			continue
		}
		longer := float64(max(len(w), len(n)))
		score := math.Abs(float64(utf8.RuneCountInString(w)-utf8.RuneCountInString(n))) / longer // a lower bound, which spares most comparisons
		if score <= least {
			score = float64(levenshtein.ComputeDistance(w, n)) / longer
		}
		if len(w) > 3 && len(n) > 3 && (strings.Contains(n, w) || strings.Contains(w, n)) {
			score = min(score, 0.3)
		}
		if score < least || score == least && name < best {
			best, least = name, score
		}
	}
	return best
}

// nearestColumn returns the column whose header is nearest to word; nil if none is near.
func nearestColumn(word string, columns []UnusedColumn) *UnusedColumn {
	headers := importer.Each(columns, func(c UnusedColumn) string { return c.Header })
	i := slices.Index(headers, nearest(word, headers))
	if i < 0 {
		return nil
	}
	return &columns[i]
}
