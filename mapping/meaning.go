package mapping

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// canonical writes n in a form in which texts that differ only in comments, the order of keys,
// quotes or indentation are the same. inOrder keeps the order of its keys: replacements are made
// one after the other.
func canonical(n *yaml.Node, inOrder bool) string {
	var parts []string
	switch n.Kind {
	case yaml.AliasNode:
		return canonical(n.Alias, inOrder)
	case yaml.ScalarNode:
		return strconv.Quote(n.Value)
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			parts = append(parts, strconv.Quote(key)+":"+canonical(n.Content[i+1], key == "replace"))
		}
		if !inOrder {
			slices.Sort(parts)
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	for _, item := range n.Content {
		parts = append(parts, canonical(item, false))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// A Key is a key of a mapping, with the keys above it, such as trip.pickup.address, and its
// whole value in canonical form.
type Key struct{ Path, Value string }

// Keys returns the keys that change what a row becomes, in the order of the mapping. Two mappings
// with the same keys differ at most in their lists, which offices keep up from day to day.
func (m *Mapping) Keys() []Key { return slices.Clone(m.keys) }

// ChangedKeys returns the paths of the keys that differ, those of the later keys first.
func ChangedKeys(before, now []Key) []string {
	var changed []string
	for _, key := range slices.Concat(now, before) {
		same := slices.Contains(before, key) && slices.Contains(now, key)
		if !same && !slices.Contains(changed, key.Path) {
			changed = append(changed, key.Path)
		}
	}
	return changed
}

// keysOf returns the keys of a mapping that change what a row becomes. The names of its files, and
// whether they are complete, do not.
func keysOf(root *yaml.Node) []Key {
	groups := []string{"read", "status", "skip", "cancelled", "trip", "pickup", "dropoff", "round_trip", "return"}
	var all []Key
	var walk func(n *yaml.Node, above string)
	walk = func(n *yaml.Node, above string) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			name, below := n.Content[i].Value, n.Content[i+1]
			switch path := above + name; {
			case path == "files", path == "complete":
			case below.Kind == yaml.MappingNode && slices.Contains(groups, name):
				walk(below, path+".")
			default:
				all = append(all, Key{path, canonical(below, false)})
			}
		}
	}
	walk(root, "")
	return all
}

// meaningOf returns a SHA-256, in hex, of the keys of a mapping, whatever their order, and of its lists.
func meaningOf(keys []Key, lists map[string]*list) string {
	hash := sha256.New()
	for _, key := range slices.SortedFunc(slices.Values(keys), func(a, b Key) int { return cmp.Compare(a.Path, b.Path) }) {
		_, _ = fmt.Fprintf(hash, "%q:%s\n", key.Path, key.Value) // a hash.Hash never fails
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		_, _ = hash.Write(lists[name].content)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
