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
// names of its files, whether they are complete, the draft mark and the unused columns.
func keysWithoutMeaning() []string { return []string{"files", "complete", "draft", "unused"} }

// writeMeaning writes a canonical form of n: texts that differ only in comments, the
// order of keys, quotes or indentation give the same one.
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
		slices.SortStableFunc(pairs, func(a, b [2]*yaml.Node) int { return cmp.Compare(a[0].Value, b[0].Value) })
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

// ChangedKeys returns the keys whose values differ between two texts of one mapping,
// such as trip.pickup.address, in the order of the later text. A key that only one text
// has is followed by "(new)" or "(taken out)". Comments, quotes and indentation make no
// difference.
func ChangedKeys(before, now []byte) []string {
	was, is := keysOf(before), keysOf(now)
	var changed []string
	for _, key := range is {
		i := slices.IndexFunc(was, func(k keyValue) bool { return k.path == key.path })
		switch {
		case i < 0:
			changed = append(changed, key.path+" (new)")
		case was[i].value != key.value:
			changed = append(changed, key.path)
		}
	}
	for _, key := range was {
		if !slices.ContainsFunc(is, func(k keyValue) bool { return k.path == key.path }) {
			changed = append(changed, key.path+" (taken out)")
		}
	}
	return changed
}

// A keyValue is a key of a mapping, with the keys above it, and its value in
// canonical form.
type keyValue struct{ path, value string }

// keysOf returns the keys of a mapping's text, each field with its whole value; none if
// the text is not YAML.
func keysOf(text []byte) []keyValue {
	var doc yaml.Node
	if yaml.Load(text, &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	groups := []string{"read", "status", "skip", "cancelled", "trip", "pickup", "dropoff", "round_trip", "return"}
	var all []keyValue
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
			all = append(all, keyValue{above + name, value.String()})
		}
	}
	walk(doc.Content[0], "")
	return all
}
