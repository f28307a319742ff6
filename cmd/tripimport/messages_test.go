package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tripimport/importer/app"
)

// transcribe has every command of a session write what it prints into a file of the folder
// that SESSION_MESSAGES names. Terminals are left as they are.
func transcribe(e environment, args []string) (environment, func()) {
	dir := os.Getenv("SESSION_MESSAGES")
	if dir == "" || slices.Contains(args, "--json") || isTerminal(e.Out) {
		return e, func() {}
	}
	file, err := os.CreateTemp(dir, "said-"+os.Getenv("SESSION_NAME")+"-")
	if err != nil {
		panic(err)
	}
	_, _ = fmt.Fprintln(file, strings.Join(args, " "))
	session, said := e, &lockedWriter{}
	e.Out, e.Err = io.MultiWriter(e.Out, file, said), io.MultiWriter(e.Err, file, said)
	return e, func() {
		_ = file.Close()
		followSteps(session, args, said.String())
	}
}

// checkMessages reports what is wrong with the messages that sessions printed.
func checkMessages(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "said-*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the sessions left no messages: %v", err)
	}

	checked := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		called, printed, _ := strings.Cut(string(text), "\n")
		for line := range strings.Lines(printed) {
			if checked[line] {
				continue
			}
			checked[line] = true
			for _, fault := range messageFaults(strings.TrimRight(line, "\n")) {
				t.Errorf("%s: tripimport %s: %s", nameOfSession(file), called, fault)
			}
		}
	}
}

// messageFaults says what is wrong with one line that a command printed.
func messageFaults(line string) []string {
	var faults []string
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf(format, args...)+": "+line)
	}

	if strings.Contains(stillToWrite.ReplaceAllString(line, ""), "…") {
		fault("it is cut off")
	}
	if word := privateWords.FindString(strings.ToLower(line)); word != "" {
		fault("%q is a word of the program's makers", word)
	}
	if wrong := wrongPlural.FindString(line); wrong != "" {
		fault("%q does not agree", strings.TrimSpace(wrong))
	}
	for _, leg := range betweenLegs.Split(strings.TrimRight(line, "."), -1) {
		parts := betweenParts.Split(leg, -1)
		for i, part := range parts {
			saysIt := func(earlier string) bool {
				same := earlier == part || strings.HasSuffix(earlier, ": "+part)
				return len(part) >= 9 && same || len(part) >= 16 && strings.Contains(earlier, part)
			}
			if slices.ContainsFunc(parts[:i], saysIt) {
				fault("%q is said twice", part)
			}
		}
	}

	if bareCommand.MatchString(line) {
		fault("a command without quotes")
	}

	next, isNext := strings.CutPrefix(line, "   tripimport ")
	if err := parses(next, true); isNext && err != nil {
		fault("it is no command: %v", err)
	}
	for _, quoted := range quotedCommand.FindAllStringSubmatch(line, -1) {
		if err := parses(quoted[1], strings.Contains(quoted[1], " ")); err != nil {
			fault("`tripimport %s` is no command: %v", quoted[1], err)
		}
	}
	return faults
}

var (
	privateWords = regexp.MustCompile(`\b(mend|mends|mended|venue|teller|heading|sightings?|journeys?|denials?|striker?|imitated|absence|forgiven?|complaint|booking pass)\b`)
	wrongPlural  = regexp.MustCompile(`(^|[ (])(1 (rows|trips|legs|files|cells|columns|faults|problems|runs|lines|sheets|questions|answers|names|riders|days|changes|messages|places|addresses|words|notices|values)\b|([2-9]|[1-9][0-9]+) (row|trip|leg|file|cell|column|fault|problem|run|line|sheet|question|rider|day|notice|address)( |,|;|:|\.|$))`)
	betweenLegs  = regexp.MustCompile(`; (return|third leg): `)
	betweenParts = regexp.MustCompile(` and |; | • `)
	// What a person is to put in place of dots, and a long value that is quoted.
	stillToWrite  = regexp.MustCompile(`FILE…|https://…|: …}|…"`)
	bareCommand   = regexp.MustCompile("(:|[^a-z](run|with|use)) tripimport [a-z]+ ")
	quotedCommand = regexp.MustCompile("`tripimport ([^`]+)`")
)

// parses reports whether the command line is one that the program takes; with whole its
// arguments have to be complete. Its files need not be there.
func parses(line string, whole bool) error {
	args := commandWords(line)
	root := newRoot(environment{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Environment: app.Environment{Lookup: os.LookupEnv}})
	root.InitDefaultHelpFlag()
	root.InitDefaultHelpCmd()
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if help, _ := cmd.Flags().GetBool("help"); help || !whole {
		return nil
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// commandWords returns the words of a command line as a shell passes them on.
func commandWords(line string) []string {
	var words []string
	for _, word := range regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(line, -1) {
		words = append(words, strings.Trim(word, `'"`))
	}
	return words
}

// TestMessageFaults tests the test of messages: what is right passes, and each fault is
// named.
func TestMessageFaults(t *testing.T) {
	for _, good := range []string{
		"1 row is ready, 2 rows need fixing", "row 2 of 12 rows", "   tripimport check --online 'my schedule.csv'",
		"what to do: run `tripimport ledger new`", "`tripimport import FILE…` sends it", "21 trips, 21 rows", "see `tripimport check FILE…`", "21 trips: 1 on Mon Nov 30, 2026, 20 on Wed Dec 2, 2026",
	} {
		if faults := messageFaults(good); faults != nil {
			t.Errorf("%q: %v", good, faults)
		}
	}
	for _, bad := range []string{
		"7 miles are too many: t…", "mend this row", "1 rows do not fit", "2 row need fixing", "left out: cancelled • cancelled", "no proof came back: it was sent today and no proof came back",
		"no proof came back and no proof came back", "run: tripimport check night.csv", "   tripimport chek FILE", "   tripimport check --onlin FILE", "run `tripimport check --all`",
	} {
		if len(messageFaults(bad)) != 1 {
			t.Errorf("%q: %v, want one fault", bad, messageFaults(bad))
		}
	}
}
