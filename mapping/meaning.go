package mapping

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// keysWithoutMeaning returns the keys of a mapping that do not change what a row becomes: the
// names of its files, and whether they are complete.
func keysWithoutMeaning() []string { return []string{"files", "complete"} }

// writeMeaning writes a canonical form of n: texts that differ only in comments, the
// order of keys, quotes or indentation give the same one. Replacements are made one after the
// other, so their order counts.
func writeMeaning(w io.Writer, n *yaml.Node, leaveOut ...string) {
	switch n.Kind {
	case yaml.AliasNode:
		writeMeaning(w, n.Alias)
	case yaml.ScalarNode:
		_, _ = fmt.Fprintf(w, "%q", n.Value)
	case yaml.MappingNode:
		pairs := slices.DeleteFunc(pairsOf(n), func(p [2]*yaml.Node) bool { return slices.Contains(leaveOut, p[0].Value) })
		slices.SortStableFunc(pairs, func(a, b [2]*yaml.Node) int { return cmp.Compare(a[0].Value, b[0].Value) })
		writePairs(w, pairs)
	default:
		_, _ = io.WriteString(w, "[")
		for _, item := range n.Content {
			writeMeaning(w, item)
			_, _ = io.WriteString(w, ",")
		}
		_, _ = io.WriteString(w, "]")
	}
}

func writePairs(w io.Writer, pairs [][2]*yaml.Node) {
	_, _ = io.WriteString(w, "{")
	for _, p := range pairs {
		writeMeaning(w, p[0])
		_, _ = io.WriteString(w, ":")
		if p[0].Value == "replace" && p[1].Kind == yaml.MappingNode {
			writePairs(w, pairsOf(p[1]))
		} else {
			writeMeaning(w, p[1])
		}
		_, _ = io.WriteString(w, ",")
	}
	_, _ = io.WriteString(w, "}")
}

// pairsOf returns the keys of n with their values, as they are written.
func pairsOf(n *yaml.Node) [][2]*yaml.Node {
	var pairs [][2]*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		pairs = append(pairs, [2]*yaml.Node{n.Content[i], n.Content[i+1]})
	}
	return pairs
}

// A Key is a key of a mapping, with the keys above it, such as trip.pickup.address, and its
// whole value in canonical form.
type Key struct{ Path, Value string }

// Keys returns the keys that change what a row becomes, in the order of the mapping. Two mappings
// with the same keys differ at most in their lists, which offices keep up from day to day.
func (m *Mapping) Keys() []Key { return slices.Clone(m.keys) }

// ChangedKeys returns the paths of the keys whose values differ, in the order of the later keys.
// A key that is on one side alone is followed by "(new)" or "(taken out)".
func ChangedKeys(before, now []Key) []string {
	var changed []string
	for _, key := range now {
		i := slices.IndexFunc(before, func(k Key) bool { return k.Path == key.Path })
		switch {
		case i < 0:
			changed = append(changed, key.Path+" (new)")
		case before[i].Value != key.Value:
			changed = append(changed, key.Path)
		}
	}
	for _, key := range before {
		if !slices.ContainsFunc(now, func(k Key) bool { return k.Path == key.Path }) {
			changed = append(changed, key.Path+" (taken out)")
		}
	}
	return changed
}

// keysOf returns the keys of a mapping that change what a row becomes.
func keysOf(root *yaml.Node) []Key {
	groups := []string{"read", "status", "skip", "cancelled", "trip", "pickup", "dropoff", "round_trip", "return"}
	var all []Key
	var walk func(n *yaml.Node, above string)
	walk = func(n *yaml.Node, above string) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			name, below := n.Content[i].Value, n.Content[i+1]
			if below.Kind == yaml.MappingNode && slices.Contains(groups, name) {
				walk(below, above+name+".")
				continue
			}
			var value strings.Builder
			writeMeaning(&value, below)
			all = append(all, Key{above + name, value.String()})
		}
	}
	walk(root, "")
	return slices.DeleteFunc(all, func(k Key) bool { return slices.Contains(keysWithoutMeaning(), k.Path) })
}
