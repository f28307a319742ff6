package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// TestREADME runs the commands that the README shows, in their order, in the folder of an
// office, and compares what they print with what it shows of that.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 200 {
		t.Errorf("it has %d lines, 200 at most", lines)
	}
	o := readmeOffice(t)
	t.Chdir(o.folder)

	for _, shown := range readmeCommands("console", string(text)) {
		args := shown.args
		switch args[0] {
		case "retry": // after the night that it is about
			if s := o.run("import", "schedule.xlsx"); s.status != exitFix {
				t.Fatalf("import: status %d\n%s%s", s.status, s.out, s.err)
			}
			results, _ := filepath.Glob("schedule.xlsx.*.results.xlsx")
			args = append(args[:1:1], results...)
		case "map":
			if args[1] == "approve" {
				args = append(args, "--yes")
			}
		}
		want := exitDone
		if args[0] == "check" && shown.prints != "" {
			want = exitFix
		}

		s := o.run(args...)
		if s.status != want {
			t.Errorf("tripimport %s: status %d, want %d\n%s%s", strings.Join(args, " "), s.status, want, s.out, s.err)
		}
		printed := filepath.ToSlash(normalized(s.err + s.out)) // the README shows paths as Linux writes them
		for part := range strings.SplitSeq(normalized(shown.prints), " … ") {
			_, after, found := strings.Cut(printed, strings.TrimSuffix(part, " …"))
			if !found {
				t.Errorf("tripimport %s does not print\n%s\nbut\n%s", strings.Join(args, " "), part, printed)
				break
			}
			printed = after
		}
	}
}

// TestREADMESeveralOffices runs the commands of the section on several offices: the first
// ones where the ledger is made, and the others on another machine.
func TestREADMESeveralOffices(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Several offices\n")
	section, _, _ = strings.Cut(section, "\n## ")
	url := pgtest.Start(t).NewDatabase(t)
	o := readmeOffice(t)
	t.Chdir(o.folder)
	file, err := filepath.Glob(filepath.Join(o.home, "ledger.db*"))
	o.must(err)
	for _, name := range file { // a machine without a ledger
		o.must(os.Remove(name))
	}

	ran := 0
	o.env["TRIPIMPORT_LEDGER"] = url // as the settings say
	for _, shown := range readmeCommands("sh", section) {
		args := slices.Clone(shown.args)
		if strings.HasPrefix(strings.Join(args, " "), "ledger join") {
			keys, _ := filepath.Glob(filepath.Join(o.home, "shared", "*.key"))
			o.env["TRIPIMPORT_HOME"] = filepath.Join(o.folder, "other")
			args[slices.Index(args, "FILE")] = keys[0]
		}
		for i, arg := range args {
			if arg == "rate=20" { // requests a second: it would take a quarter of a minute
				args[i] = "rate=1000"
			}
		}
		want := exitDone
		if args[0] == "import" {
			args, want = append(args, "--today", "2026-12-01"), exitFix // a trip of the sample is refused
		}
		if s := o.run(args...); s.status != want {
			t.Errorf("tripimport %s: status %d, want %d\n%s%s", strings.Join(args, " "), s.status, want, s.out, s.err)
		}
		ran++
	}
	if ran != 4 {
		t.Errorf("%d commands, want 4", ran)
	}
}

// readmeOffice makes an office with the files that the README names.
func readmeOffice(t *testing.T) *office {
	o, box := newOfficeWith(t, nil, inventedRows(1, func(int) bool { return false }), sandbox.Config{
		Faults: &inject.Plan{Faults: []inject.Fault{{Trip: "LK-1004", Kind: "400", Times: 1}}},
	})
	for _, provider := range []string{"Lakeshore Transit", "Prairie Wheels"} {
		for _, source := range []string{"County Medicaid Plan", "Harborview Health", "Private Pay"} {
			box.Allow(provider, source)
		}
	}
	o.must(os.Remove(o.schedule))
	o.must(os.Mkdir(filepath.Join(o.folder, "testdata"), 0o700))
	o.must(os.Mkdir(filepath.Join(o.folder, "schedules"), 0o700))
	copies := map[string]string{"testdata/schedule.xlsx": "schedule.xlsx", "testdata/faults.csv": "faults.csv", "testdata/faults.yaml": "faults.yaml", "schedule.xlsx": "schedule.xlsx"}
	for to, from := range copies {
		content, err := os.ReadFile(filepath.Join("..", "..", "testdata", from))
		o.must(err)
		o.must(os.WriteFile(filepath.Join(o.folder, filepath.FromSlash(to)), content, 0o600))
	}
	o.must(os.WriteFile(filepath.Join(o.folder, "export.csv"), []byte(readmeExport), 0o600))
	o.must(os.WriteFile(filepath.Join(o.home, "tripimport.yaml"), []byte("keep: 90d\n"), 0o600))
	return o
}

// readmeExport is an export in a layout that no mapping is for.
const readmeExport = `Trip Number,Member ID,Transportation Provider,Payer,Mobility,Trip Date,PU Time,Appt Time,PU Address,PU City,PU State,PU Zip,PU Lat,PU Lng,DO Address,DO City,DO State,DO Zip,DO Lat,DO Lng
80411,0048799001,Lakeshore Transit,County Medicaid Plan,Ambulatory,2026-12-02,08:30,09:15,12 Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412
80412,0048799002,Lakeshore Transit,County Medicaid Plan,Wheelchair,2026-12-02,09:30,10:15,14 Alder Ct,Westfield,MI,48111,42.302,-83.402,700 Bay Rd,Westfield,MI,48111,42.322,-83.412
80413,0048799003,Lakeshore Transit,County Medicaid Plan,Ambulatory,2026-12-02,10:30,11:15,16 Alder Ct,Westfield,MI,48111,42.303,-83.403,700 Bay Rd,Westfield,MI,48111,42.322,-83.412
`

// A readmeCommand is a command line of the README, with what it shows of what is printed.
type readmeCommand struct {
	args   []string
	prints string
}

// readmeCommands returns the command lines of the blocks of a kind: the console's, or those
// of a shell, whose lines are commands.
func readmeCommands(kind, text string) []readmeCommand {
	var commands []readmeCommand
	for _, block := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(block[1]) {
			command, isCommand := strings.CutPrefix(line, "$ ")
			if !isCommand && kind == "console" {
				commands[len(commands)-1].prints += line
				continue
			}
			command, _, _ = strings.Cut(command, "#")
			args, _ := strings.CutPrefix(command, "tripimport ") // others are of developers
			commands = append(commands, readmeCommand{args: commandWords(args)})
		}
	}
	return slices.DeleteFunc(commands, func(c readmeCommand) bool { return c.args[0] == "go" })
}

// normalized returns a printed text without what differs from run to run and from terminal
// to terminal.
func normalized(text string) string {
	text = regexp.MustCompile(`\d{8}T\d{6}Z`).ReplaceAllString(text, "TIME")
	return strings.Join(strings.Fields(text), " ")
}
