package main

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"tripimport/importer/app"
)

// TestManPages writes a manual page for each command: into the folder that
// TRIPIMPORT_MAN names, for a release, otherwise into one that is removed again.
func TestManPages(t *testing.T) {
	dir := cmp.Or(os.Getenv("TRIPIMPORT_MAN"), t.TempDir())
	root := newRoot(environment{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Environment: app.Environment{Lookup: os.LookupEnv}})
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "tripimport"}, dir); err != nil {
		t.Fatal(err)
	}
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		page := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
		if text, err := os.ReadFile(page); err != nil || !bytes.Contains(text, []byte(c.Name())) {
			t.Errorf("%s has no page: %v", c.CommandPath(), err)
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				each(sub)
			}
		}
	}
	each(root)
}
