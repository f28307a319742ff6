package mapping

import (
	"fmt"
	"io"
	"slices"
	"sort"

	"go.yaml.in/yaml/v4"
)

// unmeaning are the keys of a mapping that do not say what a row becomes: which files
// it is for, which of them are whole, which words are approved, which columns are not used, and
// that nobody has approved it.
func unmeaning() []string { return []string{"files", "complete", "words", "draft", "unused"} }

// writeMeaning writes what a mapping says, so that two texts that differ in comments,
// order, quotes or indentation alone give the same.
func writeMeaning(w io.Writer, n *yaml.Node, leaveOut ...string) {
	switch n.Kind {
	case yaml.AliasNode:
		writeMeaning(w, n.Alias)
	case yaml.ScalarNode:
		_, _ = fmt.Fprintf(w, "%q", n.Value)
	case yaml.MappingNode:
		var pairs [][2]*yaml.Node
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !slices.Contains(leaveOut, n.Content[i].Value) {
				pairs = append(pairs, [2]*yaml.Node{n.Content[i], n.Content[i+1]})
			}
		}
		sort.SliceStable(pairs, func(i, k int) bool { return pairs[i][0].Value < pairs[k][0].Value })
		_, _ = io.WriteString(w, "{")
		for _, p := range pairs {
			writeMeaning(w, p[0])
			_, _ = io.WriteString(w, ":")
			writeMeaning(w, p[1])
			_, _ = io.WriteString(w, ",")
		}
		_, _ = io.WriteString(w, "}")
	default:
		_, _ = io.WriteString(w, "[")
		for _, item := range n.Content {
			writeMeaning(w, item)
			_, _ = io.WriteString(w, ",")
		}
		_, _ = io.WriteString(w, "]")
	}
}
