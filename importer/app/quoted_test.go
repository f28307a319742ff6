package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tripimport/importer/app"
)

// TestQuoted passes file names through a shell: each has to come back as one argument, as it is.
func TestQuoted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no sh, whose quoting this tests")
	}
	names := []string{"schedule.csv", "/in/schedule_2026-12-02.csv", "schedule (1).csv", "schedule[1].csv", "#1.csv", "~root", "it's $5.csv", "-n.csv"}
	for c := ' '; c <= '~'; c++ {
		names = append(names, "a"+string(c)+"b")
	}

	t.Chdir(t.TempDir())
	for _, other := range []string{"schedule1.csv", "axb"} { // which a pattern would match
		if err := os.WriteFile(other, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		line := `printf '%s|' ` + app.Quoted(name)
		out, err := exec.CommandContext(t.Context(), "sh", "-c", line).Output()
		want := name + "|"
		if strings.HasPrefix(name, "-") {
			want = "./" + want
		}
		if string(out) != want || err != nil {
			t.Errorf("%s: sh passed on %q, %v", line, out, err)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("the shell has made %q", left)
	}
	if plain := "C:/in/a-1_2.csv"; app.Quoted(plain) != plain {
		t.Error("a name is in quotes that needs none")
	}
}
