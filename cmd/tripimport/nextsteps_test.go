package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tripimport/importer/app"
	"tripimport/importer/sandbox"
)

// A nextStep is a command that was printed for somebody to run next.
type nextStep struct {
	args []string
	// say is the line that says what it is for, reason the fault before it.
	say, reason string
}

// kind names the step for the table of effects: its command.
func (s nextStep) kind() string {
	root := newRoot(environment{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Environment: app.Environment{Lookup: os.LookupEnv}})
	root.InitDefaultHelpCmd()
	cmd, _, err := root.Find(s.args)
	if err != nil {
		return strings.Join(s.args, " ")
	}
	path := strings.TrimPrefix(cmd.CommandPath(), "tripimport ")
	if len(s.args) > 1 && (path == "setup" || path == "help") {
		path += " " + s.args[1] // a step, or a topic
	}
	return path
}

var anyNumber = regexp.MustCompile(`[0-9]+`)

// nextSteps returns the commands that a text tells people to run. Those with a word to be
// replaced (FILE), and those that only name a command, are left out.
func nextSteps(printed string) []nextStep {
	var steps []nextStep
	reason := ""
	add := func(line, say string) {
		if err := parses(line, true); err == nil && !placeholder.MatchString(line) {
			steps = append(steps, nextStep{commandWords(line), say, reason})
		}
	}
	say := ""
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\n")
		if command, isCommand := strings.CutPrefix(line, "   tripimport "); isCommand {
			add(command, say)
			continue
		}
		if fault.MatchString(line) {
			reason = line
		}
		if say = line; strings.Contains(line, "did you mean") {
			continue // whether it is what they meant
		}
		for _, quoted := range quotedCommand.FindAllStringSubmatch(line, -1) {
			add(quoted[1], line)
		}
	}
	return steps
}

var (
	placeholder = regexp.MustCompile(`\b(FILE|OLD|NEW|NAME|RUN|TRIP|RESULTS-FILE|SHELL|URL)\b|--help|…`)
	fault       = regexp.MustCompile(`^(tripimport:|WRONG) `)
)

// A follower tries the steps that one command of a session printed, each in the session's
// folder as the command left it.
type follower struct {
	environment
	session, folder, dir string
	// given are the command's own arguments, and printed is what it printed.
	given   []string
	printed string

	faults bytes.Buffer
}

// followSteps tries the steps, and leaves what is wrong in the folder of the messages.
func followSteps(e environment, given []string, printed string) {
	messages, work := os.Getenv("SESSION_MESSAGES"), os.Getenv("WORK")
	if messages == "" || work == "" {
		return
	}
	f := follower{environment: e, session: os.Getenv("SESSION_NAME"), folder: work, given: given, printed: printed}
	f.dir, _ = os.Getwd()
	for _, step := range nextSteps(printed) {
		if !f.isNew(messages, step) {
			continue
		}
		if err := f.try(step); err != nil {
			fmt.Fprintf(&f.faults, "after tripimport %s\n  %s\n  tripimport %s\n  %v\n", strings.Join(given, " "), step.say, strings.Join(step.args, " "), err)
		}
	}
	if f.faults.Len() > 0 {
		_ = os.WriteFile(filepath.Join(messages, fmt.Sprintf("fault-%s-%d", f.session, os.Getpid())), f.faults.Bytes(), 0o600)
	}
}

// isNew reports whether no session has had a step like this one yet. With TRIPIMPORT_LONG
// set each step is new.
func (f *follower) isNew(messages string, step nextStep) bool {
	like := regexp.MustCompile(`[^a-z]+`).ReplaceAllString(strings.ToLower(step.kind()+" "+f.generic(step.say)), "-")
	path := filepath.Join(messages, "step-"+strings.ReplaceAll(step.kind(), " ", "_")+"-"+like[:min(len(like), 80)])
	_, err := os.Stat(path)
	_ = os.WriteFile(path, nil, 0o600)
	return err != nil || os.Getenv("TRIPIMPORT_LONG") != ""
}

// generic returns a text without what differs from case to case.
func (f *follower) generic(text string) string {
	text, _, _ = strings.Cut(text, "`")
	return anyNumber.ReplaceAllString(text, "")
}

// try runs a step and reports how it fails to do what it says. The folder and the service
// are as they were afterwards.
func (f *follower) try(step nextStep) (err error) {
	effect, known := effects()[step.kind()]
	if !known {
		return fmt.Errorf("the kind of next step %q has no effect in the table", step.kind())
	}
	before, err := takeSnapshot(f.folder)
	if err != nil {
		return err
	}
	log := filepath.Join(f.folder, "..", fmt.Sprintf("fork-%s-%d.log", f.session, os.Getpid()))
	if err := forkService(log); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, forkService(""), before.restore(f.folder), os.Chdir(f.dir))
		_ = os.Remove(log)
	}()
	return effect(&attempt{follower: f, step: step, log: log})
}

// attempt is one step that is tried.
type attempt struct {
	*follower
	step nextStep
	log  string
}

// run runs a command in the session's folder and returns what it prints, and its status.
func (f *follower) run(input string, args ...string) (string, int) {
	return f.runWith(strings.NewReader(input), args...)
}

// runWith is run with another standard input.
func (f *follower) runWith(input io.Reader, args ...string) (string, int) {
	if err := os.Chdir(f.dir); err != nil {
		return err.Error(), -1
	}
	printed := &lockedWriter{}
	e := f.environment
	e.In, e.Out, e.Err = input, printed, printed
	status := execute(args, e)
	return printed.String(), status
}

// A lockedWriter keeps what several goroutines write.
type lockedWriter struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *lockedWriter) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// asked returns the ids of the trips that the service was asked to book, or to change.
func (t *attempt) asked(op sandbox.Operation) []string {
	entries, _ := readServiceLog(t.log) // none: nothing was asked
	var ids []string
	for _, e := range entries {
		if e.Phase == sandbox.Received && e.Operation == op {
			ids = append(ids, e.TripID)
		}
	}
	return ids
}

// counted returns the number before one of the texts in what was printed, such as 3 of
// "3 rows need fixing"; 0 if none is there.
func counted(printed string, texts ...string) int {
	for _, text := range texts {
		if m := regexp.MustCompile(`(\d+|the) ` + text).FindStringSubmatch(strings.Join(strings.Fields(printed), " ")); m != nil {
			if m[1] == "the" {
				return 1
			}
			n, _ := strconv.Atoi(m[1])
			return n
		}
	}
	return 0
}

// checkSteps reports the steps that failed to do what they say, and the kinds in the table
// of effects that no session printed.
func checkSteps(t *testing.T, dir string) {
	t.Helper()
	faults, _ := filepath.Glob(filepath.Join(dir, "fault-*"))
	for _, path := range faults {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s: %s", nameOfSession(path), text)
	}
	if testing.Short() || runtime.GOOS == "windows" || strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return // some sessions alone, or not to their end
	}
	steps, _ := filepath.Glob(filepath.Join(dir, "step-*"))
	for kind := range effects() {
		if !slices.ContainsFunc(steps, func(path string) bool { return strings.Contains(path, "-"+strings.ReplaceAll(kind, " ", "_")+"-") }) {
			t.Errorf("no session prints the next step %q", kind)
		}
	}
}

// TestNextSteps reads the commands out of what is printed.
func TestNextSteps(t *testing.T) {
	var got []string
	for _, step := range nextSteps("tripimport: there is no token\nwhat to do: store one with `tripimport setup token`; `tripimport import --sandbox FILE` rehearses\n" +
		"1. fix 1 row, then run\n   tripimport check --today 2026-12-01 'my night.csv'\n   or `tripimport retry`\n" +
		"what to do: did you mean `tripimport runs`?\n") {
		got = append(got, step.kind()+" | "+strings.Join(step.args, " ")+" | "+step.reason)
	}
	want := []string{
		"setup token | setup token | tripimport: there is no token",
		"check | check --today 2026-12-01 my night.csv | tripimport: there is no token",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
