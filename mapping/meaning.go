package mapping

import (
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

// contentOf returns a SHA-256, in hex, of what a mapping says about a row, whosever it is.
func contentOf(root *yaml.Node) string {
	rows := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if !slices.Contains([]string{"broker", "files", "complete"}, root.Content[i].Value) {
			rows.Content = append(rows.Content, root.Content[i:i+2]...)
		}
	}
	sum := sha256.Sum256([]byte(canonical(rows, false)))
	return hex.EncodeToString(sum[:])
}

// meaningOf returns a SHA-256, in hex, of a mapping's content, broker and lists.
func (m *Mapping) meaningOf() string {
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "%q:%s\n", m.Name(), m.content) // a hash.Hash never fails
	for _, name := range slices.Sorted(maps.Keys(m.lists)) {
		_, _ = hash.Write(m.lists[name].content)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
