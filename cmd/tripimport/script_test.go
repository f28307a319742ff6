package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// TestMain lets the scripts run this program as the command tripimport.
func TestMain(m *testing.M) {
	testscript.Main(inMemory{m}, map[string]func(){"tripimport": func() {
		log.SetOutput(io.Discard)
		limitMemory()
		e := processEnvironment()
		e.Clock = sessionClock{}
		if os.Getenv("UNAPPROVED") == "" {
			e.Approved = true
		}
		if os.Getenv("AT_TERMINAL") != "" {
			e.In = typed{e.In}
		}
		e.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
		e, done := transcribe(e, os.Args[1:])
		status := execute(os.Args[1:], e)
		done()
		os.Exit(status)
	}})
}

// inMemory runs tests in memory. Only the process of the tests runs them, not those of
// the commands.
type inMemory struct{ tests testscript.TestingM }

func (m inMemory) Run() int {
	if err := pgtest.AllowParallel(4); err != nil {
		panic(err)
	}
	return ledgertest.RunInMemory(m.tests)
}

// A sessionClock shows the minute that SESSION_NOW names, so that sessions don't go
// stale. By default that is before what most of them take to be today. Records have the
// real time, unless NIGHT_NOW is set: then it is that minute in New York.
type sessionClock struct{ importer.SystemClock }

// Now implements importer.Clock.
func (c sessionClock) Now() time.Time {
	if os.Getenv("NIGHT_NOW") == "" {
		return c.SystemClock.Now()
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	now, err := time.ParseInLocation("2006-01-02 15:04", os.Getenv("NIGHT_NOW"), zone)
	if err != nil {
		panic(err)
	}
	return now
}

// Wall implements importer.Clock.
func (c sessionClock) Wall(*time.Location) importer.DateTime {
	if os.Getenv("NIGHT_NOW") != "" {
		return importer.DateTimeOf(c.Now())
	}
	now, err := time.Parse("2006-01-02 15:04", cmp.Or(os.Getenv("SESSION_NOW"), "2026-11-21 12:00"))
	if err != nil {
		panic(err)
	}
	return importer.DateTimeOf(now)
}

// TestScript runs the sessions of testdata/script. Each has a home of its own
// with nothing set up. Where AT_TERMINAL is set, what it gives to standard input is typed at
// a terminal.
//
// Besides testscript's own commands there are:
//
//	service [faults.yaml]       starts a service on loopback and sets base_url
//	                            and the token for it; OTHER_URL is another
//	                            address of it
//	mail-server                 starts a mail server on loopback, and sets MAIL_PORT
//	mailed N [TEXT…]            requires that it took N messages, and that the last has
//	                            these texts
//	posted N                    requires that the service's log has N trips
//	                            committed
//	posted-ids ID…              requires that they are these, in any order
//	changed ID:KEY=VALUE…       requires that these properties of trips were changed,
//	                            in any order, and no others
//	wait-posted N               waits until there are N
//	asked N                     requires that the service has received N requests
//	                            of any kind
//	write FILE LINE…            writes a file of these lines
//	found PATTERN               requires that one file matches
//	rename PATTERN TO           renames the file that matches
//	remove PATTERN              removes the files that match
//	hold-open FILE              holds a file open until the end
//	copy FOLDER NEW-FOLDER      copies a folder
//	lines FROM FIRST:LAST TO    appends lines of a file to another
//	sub FROM TO EXPRESSION REPLACEMENT…
//	                            copies a file, with the first match in each line replaced
//	capture NAME EXPRESSION [last]
//	                            sets a variable to what the last command printed
//	touch now|DATE FILE…        sets when files were written
//	day FILE TRIPS CANCELLED MOVED
//	                            writes a schedule of a day
//	expand FROM TO              copies a file, with the values of $NAME in it
//	data FILE…                  copies files of the repository's testdata
//	answer FILE ANSWER          answers in CSV results, in each row that may be
//	                            booked
//	answer FILE ID=ANSWER…      answers in the rows of these trips
//	age-attempts                makes every attempt 20 minutes older
//	clear-of TEXT FOLDER        requires that no file in the folder has the text
//	sql LEDGER STATEMENT        executes a statement on a file or a database
//	dump DATABASE FILE          writes everything that a shared ledger has
//	cells WORKBOOK FILE         writes the cells of a workbook to a text file
//	sheets FILE SHEET=CSV…      makes a workbook of CSV files, one sheet each; see
//	                            makeWorkbook for its cells and its flag
//	edit FILE WHERE=VALUE COLUMN=VALUE…
//	                            changes cells of a results workbook; SHEET!WHERE=VALUE
//	                            in another sheet than Results
func TestScript(t *testing.T) {
	t.Parallel()
	dir, files := filepath.Join("..", "..", "testdata", "script"), []string(nil)
	if testing.Short() { // for the race detector: those that send with several workers and are broken off
		for _, name := range []string{"golive", "retry", "lostanswers", "interrupt", "samefile", "brokenoff", "words", "answers"} {
			files = append(files, filepath.Join(dir, name+".txtar"))
		}
		dir = ""
	}

	messages := t.TempDir()
	t.Cleanup(func() { // the sessions are parallel tests, and end before it
		checkMessages(t, messages)
		checkSteps(t, messages)
	})

	runScripts(t, dir, files, func(env *testscript.Env) {
		env.Setenv("SESSION_MESSAGES", messages)
		env.Setenv("SESSION_NAME", strings.TrimPrefix(filepath.Base(env.WorkDir), "script-"))
	})
}

// TestScriptShared runs the sessions of testdata/script/shared. Each has a database for a
// ledger as well, at DATABASE.
func TestScriptShared(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Start(t)
	runScripts(t, filepath.Join("..", "..", "testdata", "script", "shared"), nil, func(env *testscript.Env) {
		env.Setenv("DATABASE", cluster.NewDatabase(t))
	})
}

// runScripts runs the sessions of a folder, or those files.
func runScripts(t *testing.T, dir string, files []string, setup func(*testscript.Env)) {
	t.Helper()
	commands := fileCommands()
	maps.Copy(commands, map[string]func(*testscript.TestScript, bool, []string){
		"service":      startService,
		"mail-server":  startMailServer,
		"mailed":       mailed,
		"posted":       posted,
		"posted-ids":   postedIDs,
		"changed":      changed,
		"wait-posted":  waitPosted,
		"asked":        asked,
		"write":        writeLines,
		"expand":       expand,
		"data":         copyData,
		"edit":         editResults,
		"sheets":       makeWorkbook,
		"cells":        writeCells,
		"answer":       answerResults,
		"age-attempts": ageAttempts,
		"clear-of":     clearOf,
		"sql":          executeSQL,
		"dump":         dumpSchema,
	})
	testscript.Run(t, testscript.Params{
		Dir: dir, Files: files,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("TRIPIMPORT_UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("TRIPIMPORT_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("TRIPIMPORT_MARKS", filepath.Join(env.WorkDir, "marks"))
			env.Setenv("GOGC", "off") // a command is short; the limit of limitMemory is there
			env.Setenv("TZ", "America/New_York")
			setup(env)
			return nil
		},
		Cmds: commands,
	})
}

// scriptToken is the token of the service that a script starts.
const scriptToken = "tok-3141592653"

func startService(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: service [faults.yaml]")
	}

	config := sandbox.Config{Token: scriptToken, Log: writeServiceLog(ts, ts.MkAbs("service.log")), OnRequest: validateBodies(ts)}
	if len(args) == 1 {
		plan, err := inject.Parse([]byte(ts.ReadFile(args[0])))
		ts.Check(err)
		config.Faults = plan
	}

	server := newForkedService(ts, config)
	ts.Setenv("TRIPIMPORT_BASE_URL", server.URL)
	ts.Setenv("OTHER_URL", strings.Replace(server.URL, "127.0.0.1", "localhost", 1))
	ts.Setenv("TRIPIMPORT_TOKEN", scriptToken)
}

// validateBodies validates every body that the service receives with the contract's
// schema. An error is written to a file, which fails the next `posted`.
func validateBodies(ts *testscript.TestScript) func(sandbox.Operation, []byte) {
	schemas := map[sandbox.Operation]*jsonschema.Schema{}
	for _, op := range []sandbox.Operation{sandbox.Insert, sandbox.Change} {
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "importer", "sandbox", "contract.json") + "#/$defs/" + string(op))
		ts.Check(err)
		schemas[op] = schema
	}
	path := ts.MkAbs("contract-faults")
	return func(op sandbox.Operation, body []byte) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if schema := schemas[op]; err == nil && schema != nil {
			err = schema.Validate(v)
		}
		if err != nil {
			_ = os.WriteFile(path, []byte(err.Error()), 0o600)
		}
	}
}

// committed returns the ids of the trips that the service has committed, in the order of
// its log.
func committed(ts *testscript.TestScript) []string {
	var ids []string
	if text, err := os.ReadFile(ts.MkAbs("contract-faults")); err == nil {
		ts.Fatalf("a body that the contract does not allow: %s", text)
	}
	if _, err := os.Stat(ts.MkAbs("service.log")); err != nil {
		return nil
	}

	for line := range bytes.Lines([]byte(ts.ReadFile("service.log"))) {
		var entry struct {
			Phase     string            `json:"phase"`
			Operation sandbox.Operation `json:"operation"`
			TripID    string            `json:"trip_id"`
		}
		ts.Check(json.Unmarshal(line, &entry))
		if entry.Phase == "committed" && entry.Operation == sandbox.Insert {
			ids = append(ids, entry.TripID)
		}
	}
	return ids
}

func posted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: posted N")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if ids := committed(ts); len(ids) != want {
		ts.Fatalf("the service has %d trips, want %d: %s", len(ids), want, strings.Join(ids, " "))
	}
}

func waitPosted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: wait-posted N")
	}

	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	for range 500 {
		if len(committed(ts)) >= want {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("the service has %d trips after 10 s, want %d", len(committed(ts)), want)
}

func asked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: asked N")
	}
	entries, err := readServiceLog(ts.MkAbs("service.log"))
	ts.Check(err)
	received := 0
	for _, e := range entries {
		if e.Phase == sandbox.Received {
			received++
		}
	}
	if strconv.Itoa(received) != args[0] {
		ts.Fatalf("the service has received %d requests, want %s", received, args[0])
	}
}

func writeLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: write FILE LINE…")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(args[1:], "\n")+"\n"), 0o600))
}

func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: expand FROM TO")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

func postedIDs(ts *testscript.TestScript, neg bool, args []string) {
	// Several workers send at once, so the trips come in any order.
	ids := committed(ts)
	slices.Sort(ids)
	slices.Sort(args)
	if slices.Equal(ids, args) == neg {
		ts.Fatalf("the service has the trips %s, want %s", ids, args)
	}
}

func changed(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: changed ID:KEY=VALUE…")
	}
	committed(ts) // every body is as the contract wants it
	entries, err := readServiceLog(ts.MkAbs("service.log"))
	ts.Check(err)
	bodies := map[int64]json.RawMessage{}
	var got []string
	for _, e := range entries {
		if e.Phase == sandbox.Received {
			bodies[e.Request] = e.Body
			continue
		}
		var change struct {
			Properties []struct{ Key, Value string } `json:"properties_to_change"`
		}
		ts.Check(json.Unmarshal(bodies[e.Request], &change))
		for _, p := range change.Properties {
			got = append(got, e.TripID+":"+p.Key+"="+p.Value)
		}
	}
	slices.Sort(got)
	slices.Sort(args)
	if !slices.Equal(got, args) {
		ts.Fatalf("the service has changed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(args, "\n"))
	}
}

func copyData(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: data FILE…")
	}

	for _, name := range args {
		// The working directory of the test is the command's folder.
		text, err := os.ReadFile(filepath.Join("..", "..", "testdata", filepath.FromSlash(name)))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(filepath.Base(name)), text, 0o600))
	}
}

// theOnly returns the file that matches the pattern; it must be the only one.
func theOnly(ts *testscript.TestScript, pattern string) string {
	found, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%d files match %s: %v", len(found), pattern, found)
	}
	return found[0]
}
