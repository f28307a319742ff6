package app

import (
	"os"
	"path/filepath"
	"testing"

	"tripimport/mapping/propose"
)

// TestDraftFile keeps a draft in a file, and goes on with it. Whatever else is there stays as it is.
func TestDraftFile(t *testing.T) {
	proposal := &Proposal{Draft: propose.Draft{Text: "mapping: 1\nfiles: \"lake*.csv\"\ntrip:\n"}}
	answered := proposal.Text + "  trip_id: Ride\n"
	f := &DraftFile{Path: filepath.Join(t.TempDir(), "lake.yaml")}
	if text, begun, err := f.Open(proposal, true); text != proposal.Text || begun || err != nil {
		t.Errorf("%q, %v, %v", text, begun, err)
	}
	if err := f.Write(answered); err != nil {
		t.Error(err)
	}
	if text, begun, err := f.Open(proposal, true); text != answered || !begun || err != nil {
		t.Errorf("%q, %v, %v", text, begun, err)
	}
	if _, _, err := f.Open(proposal, false); err == nil {
		t.Error("an existing file was taken where nobody can answer")
	}
	for _, other := range []string{"mapping: 1\nfiles: \"bay*.csv\"\n", "files: \"lake*.csv\"\n", "minutes"} {
		if err := os.WriteFile(f.Path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := f.Open(proposal, true)
		if now, _ := os.ReadFile(f.Path); err == nil || string(now) != other {
			t.Errorf("%q was taken for the draft", other)
		}
	}
}
