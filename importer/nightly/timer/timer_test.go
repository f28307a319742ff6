package timer

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// job has characters that are hard to quote: a space, a percent sign, an umlaut, an apostrophe,
// an ampersand and a dollar.
func job() Job {
	return Job{
		Program: "/opt/büro & co/tripimport", Args: []string{"nightly", "run", "--home", "/srv/ana's 50% $HOME"},
		Folder: "/srv/ana's 50% $HOME", Home: "/home/ana", User: "ana",
	}
}

func windowsJob() Job {
	return Job{
		Program: `C:\Program Files\Büro & Co\tripimport.exe`, Args: []string{"nightly", "run", "--home", `C:\Users\Ana Büro\trip import\`},
		Folder: `C:\Users\Ana Büro\trip import`, User: `OFFICE\ana`,
	}
}

// A computer only notes the commands that it is told to run.
type computer struct {
	crontab string
	fails   string // commands that fail, by how they begin
	says    map[string]string
	ran     []string
}

func (c *computer) run(_ context.Context, command Command) (string, error) {
	line := strings.Join(command.Args, " ")
	c.ran = append(c.ran, line)
	switch {
	case c.fails != "" && strings.HasPrefix(line, c.fails):
		return "", errors.New("not allowed")
	case line == "crontab -l" && c.crontab == "":
		return "", errors.New("no crontab for ana")
	case line == "crontab -l":
		return c.crontab, nil
	case line == "crontab -":
		c.crontab = command.Input
	case line == "crontab -r":
		c.crontab = ""
	}
	return c.says[line], nil
}

func plan(t *testing.T, system string, j Job, c *computer) *Plan {
	t.Helper()
	p, err := For(t.Context(), system, j, c.run)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGolden compares what is written for each system, and which commands are run.
func TestGolden(t *testing.T) {
	for file, test := range map[string]struct {
		system string
		job    Job
	}{
		"cron":          {"linux", job()},
		"taskscheduler": {"windows", windowsJob()},
	} {
		t.Run(file, func(t *testing.T) {
			got := described(plan(t, test.system, test.job, &computer{}))
			golden := filepath.Join("testdata", file+".golden")
			if os.Getenv("TRIPIMPORT_UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// described returns a plan as text.
func described(p *Plan) string {
	var b strings.Builder
	section := func(title string, commands ...Command) {
		b.WriteString("== " + title + "\n")
		for _, c := range commands {
			b.WriteString(c.String() + "\n" + c.Input)
		}
	}
	b.WriteString(p.Schedule)
	section("install", p.Install)
	section("check", p.Check)
	section("wake", p.Wake)
	section("remove", p.Remove)
	b.WriteString("== notes\n" + strings.Join(p.Notes, "\n") + "\n")
	return b.String()
}

// No command of any plan has a password as an argument: Windows asks for it itself.
func TestNoPasswordIsAnArgument(t *testing.T) {
	p := plan(t, "windows", windowsJob(), &computer{})
	create := p.Install
	if i := slices.Index(create.Args, "/rp"); i < 0 || create.Args[i+1] != "*" || !create.Ask {
		t.Errorf("the task is made with %q", create.Args)
	}
}

// TestTheLineOfTheCrontab runs the line by sh, as cron does.
func TestTheLineOfTheCrontab(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no cron")
	}
	j := job()
	j.Folder = filepath.Join(t.TempDir(), "ana's 50% $HOME")
	j.Program = filepath.Join(j.Folder, "trip import")
	if err := os.Mkdir(j.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(j.Program, []byte("#!/bin/sh\npwd; for a in \"$@\"; do echo \"$a\"; done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := plan(t, "linux", j, &computer{})
	got, err := Run(t.Context(), p.Wake)
	if want := j.Folder + "\n" + strings.Join(j.Args, "\n") + "\n"; err != nil || got != want {
		t.Errorf("it was started with\n%s\n%v\nwant\n%s", got, err, want)
	}
	// What cron hands to sh is what stands behind its five fields, with \% as %.
	line := strings.Split(p.Schedule, "\n")[1]
	if inTable, woken := strings.ReplaceAll(strings.TrimPrefix(line, "*/5 * * * * "), `\%`, "%"), p.Wake.Args[len(p.Wake.Args)-1]; inTable != woken {
		t.Errorf("the crontab has %q, and the trial is %q", inTable, woken)
	}
}

func TestACrontabKeepsItsOtherLines(t *testing.T) {
	ctx := t.Context()
	for _, before := range []string{"", "MAILTO=ana\n0 3 * * * backup 100\\%\n", "# no end of line"} {
		c := &computer{crontab: before}
		want := before
		if before != "" && !strings.HasSuffix(before, "\n") {
			want += "\n"
		}
		p := plan(t, "linux", job(), c)
		if err := p.Apply(ctx, c.run); err != nil {
			t.Fatal(err)
		}
		if err := p.Installed(ctx, c.run); err != nil || !strings.HasPrefix(c.crontab, want+cronBegin) {
			t.Errorf("installed (%v):\n%s", err, c.crontab)
		}

		// A line that was added behind stays where it is, and the schedule is there once.
		c.crontab += "@daily other\n"
		p = plan(t, "linux", job(), c)
		if err := p.Apply(ctx, c.run); err != nil || strings.Count(c.crontab, cronBegin) != 1 || !strings.Contains(c.crontab, "@daily other\n") {
			t.Errorf("%v:\n%s", err, c.crontab)
		}
		if err := p.TakeAway(ctx, c.run); err != nil || c.crontab != want+"@daily other\n" {
			t.Errorf("%v: after all that the crontab is\n%s", err, c.crontab)
		}
	}
}

func TestACrontabThatCannotBeReadIsNotWritten(t *testing.T) {
	for name, c := range map[string]*computer{
		"refused":   {crontab: "0 3 * * * backup\n", fails: "crontab -l"},
		"cut short": {crontab: cronBegin + "\n*/5 * * * * x\n0 3 * * * backup\n"},
	} {
		if _, err := For(t.Context(), "linux", job(), c.run); err == nil {
			t.Errorf("%s: there is a plan", name)
		}
	}
}

// TestReadBack shows that a plan is in force only while everything is as it was written.
func TestReadBack(t *testing.T) {
	ctx := t.Context()
	c := &computer{}
	p := plan(t, "windows", windowsJob(), c)
	p.File = filepath.Join(t.TempDir(), "task.xml")
	if err := p.Apply(ctx, c.run); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.File); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file is still there")
	}
	if err := p.Installed(ctx, c.run); err == nil {
		t.Error("Windows has no such task, and it counts as installed")
	}
	c.says = map[string]string{strings.Join(p.Check.Args, " "): p.Schedule}
	if err := p.Installed(ctx, c.run); err != nil {
		t.Error(err)
	}
	j := windowsJob()
	j.Program = `C:\elsewhere\tripimport.exe` // moved since
	if err := plan(t, "windows", j, c).Installed(ctx, c.run); err == nil {
		t.Error("a task of the program's old place counts as installed")
	}
	if err := p.TakeAway(ctx, (&computer{fails: "schtasks"}).run); err == nil {
		t.Error("a failure is not said")
	}
}

// TestATaskThatIsReadBack reads a task back as Windows exports it: in another order, with the
// account's number, without default values, and in another code page.
func TestATaskThatIsReadBack(t *testing.T) {
	p := plan(t, "windows", windowsJob(), &computer{})
	exported := strings.NewReplacer(
		"    <Hidden>false</Hidden>\n", "", `OFFICE\ana`, "S-1-5-21-1-2-3-1001", "ü", "\x81",
		"<RegistrationInfo>", `<RegistrationInfo><URI>\tripimport-nightly</URI>`,
	).Replace(p.Schedule)
	if !p.Proves(exported) {
		t.Error("it counts as another task")
	}
	for what, edit := range map[string][2]string{
		"on battery":     {"<StopIfGoingOnBatteries>false", "<StopIfGoingOnBatteries>true"},
		"turned off":     {"<Enabled>true</Enabled>\n    <Hidden>", "<Enabled>false</Enabled>\n    <Hidden>"},
		"logged on only": {"<LogonType>Password", "<LogonType>InteractiveToken"},
		"missed starts":  {"    <StartWhenAvailable>true</StartWhenAvailable>\n", ""},
		"another file":   {"tripimport.exe", "old.exe"},
		"an hour":        {"PT5M", "PT60M"},
	} {
		changed := strings.Replace(p.Schedule, edit[0], edit[1], 1)
		if changed == p.Schedule || p.Proves(changed) {
			t.Errorf("%s: it counts as the same task", what)
		}
	}
	if p.Proves("") {
		t.Error("nothing counts as the task")
	}
}

// TestTaskFile checks the form of the file: UTF-16 with a byte order mark and Windows line ends.
func TestTaskFile(t *testing.T) {
	text := plan(t, "windows", windowsJob(), &computer{}).Text
	if !bytes.HasPrefix(text, []byte{0xff, 0xfe}) || len(text)%2 != 0 {
		t.Fatalf("it begins with % x", text[:2])
	}
	var units []uint16
	for pair := range slices.Chunk(text[2:], 2) {
		units = append(units, uint16(pair[0])|uint16(pair[1])<<8)
	}
	if got := string(utf16.Decode(units)); !strings.Contains(got, `Büro &amp; Co`) || strings.Count(got, "\n") != strings.Count(got, "\r\n") {
		t.Errorf("it is %q", got)
	}
}

// A schemaType is an element type of the Task Scheduler's published schema, version 1.2:
// its elements, and whether they come in this order (xs:sequence) or in any (xs:all).
type schemaType struct {
	ordered  bool
	elements map[string]string // type by name
	order    []string
}

// schema has the types of the schema that a task of ours uses.
func schema() map[string]schemaType {
	all := func(elements map[string]string) schemaType { return schemaType{elements: elements} }
	return map[string]schemaType{
		"taskType": all(map[string]string{
			"RegistrationInfo": "registrationInfoType", "Triggers": "triggersType", "Settings": "settingsType", "Data": "any",
			"Principals": "principalsType", "Actions": "actionsType",
		}),
		"registrationInfoType": all(map[string]string{
			"URI": "string", "SecurityDescriptor": "string", "Source": "string", "Date": "dateTime", "Author": "string",
			"Version": "string", "Description": "string", "Documentation": "string",
		}),
		"triggersType": all(map[string]string{"TimeTrigger": "timeTriggerType", "BootTrigger": "any", "CalendarTrigger": "any"}),
		"timeTriggerType": {ordered: true, order: []string{"Enabled", "StartBoundary", "EndBoundary", "Repetition", "ExecutionTimeLimit", "RandomDelay"}, elements: map[string]string{
			"Enabled": "boolean", "StartBoundary": "dateTime", "EndBoundary": "dateTime", "Repetition": "repetitionType",
			"ExecutionTimeLimit": "duration", "RandomDelay": "duration",
		}},
		"repetitionType": all(map[string]string{"Interval": "duration", "Duration": "duration", "StopAtDurationEnd": "boolean"}),
		"principalsType": all(map[string]string{"Principal": "principalType"}),
		"principalType": all(map[string]string{
			"UserId": "string", "LogonType": "S4U Password InteractiveToken InteractiveTokenOrPassword", "GroupId": "string", "DisplayName": "string",
			"RunLevel": "LeastPrivilege HighestAvailable",
		}),
		"settingsType": all(map[string]string{
			"AllowStartOnDemand": "boolean", "RestartOnFailure": "any", "MultipleInstancesPolicy": "Parallel Queue IgnoreNew StopExisting",
			"DisallowStartIfOnBatteries": "boolean", "StopIfGoingOnBatteries": "boolean", "AllowHardTerminate": "boolean",
			"StartWhenAvailable": "boolean", "NetworkProfileName": "string", "RunOnlyIfNetworkAvailable": "boolean", "WakeToRun": "boolean",
			"Enabled": "boolean", "Hidden": "boolean", "DeleteExpiredTaskAfter": "duration", "IdleSettings": "idleSettingsType",
			"NetworkSettings": "any", "ExecutionTimeLimit": "duration", "Priority": "0 1 2 3 4 5 6 7 8 9 10", "RunOnlyIfIdle": "boolean",
		}),
		"idleSettingsType": all(map[string]string{"Duration": "duration", "WaitTimeout": "duration", "StopOnIdleEnd": "boolean", "RestartOnIdle": "boolean"}),
		"actionsType":      all(map[string]string{"Exec": "execActionType"}),
		"execActionType":   all(map[string]string{"Command": "string", "Arguments": "string", "WorkingDirectory": "string"}),
	}
}

// node is an element of a task.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

// TestSchema checks a task against the schema; the Task Scheduler refuses one that violates it.
func TestSchema(t *testing.T) {
	var root node
	d := xml.NewDecoder(strings.NewReader(plan(t, "windows", windowsJob(), &computer{}).Schedule))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	if root.XMLName.Space != "http://schemas.microsoft.com/windows/2004/02/mit/task" || root.XMLName.Local != "Task" {
		t.Errorf("the root is %v", root.XMLName)
	}
	for _, fault := range faults(root, "taskType", "Task") {
		t.Error(fault)
	}
	if id, context := attr(root, "Principals/Principal", "id"), attr(root, "Actions", "Context"); id == "" || id != context {
		t.Errorf("the action is of %q, the principal is %q", context, id)
	}

	// The check itself finds what is wrong.
	for name, bad := range map[string]node{
		"unknown":  {Nodes: []node{{XMLName: xml.Name{Local: "Trigger"}}}},
		"twice":    {Nodes: []node{{XMLName: xml.Name{Local: "Settings"}}, {XMLName: xml.Name{Local: "Settings"}}}},
		"order":    {Nodes: []node{{XMLName: xml.Name{Local: "Triggers"}, Nodes: []node{{XMLName: xml.Name{Local: "TimeTrigger"}, Nodes: []node{{XMLName: xml.Name{Local: "StartBoundary"}, Text: "2026-01-01T00:00:00"}, {XMLName: xml.Name{Local: "Enabled"}, Text: "true"}}}}}}},
		"no value": {Nodes: []node{{XMLName: xml.Name{Local: "Settings"}, Nodes: []node{{XMLName: xml.Name{Local: "Enabled"}, Text: "yes"}}}}},
	} {
		if len(faults(bad, "taskType", "Task")) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
	}
}

func faults(n node, typeName, path string) []string {
	kind, ok := schema()[typeName]
	if !ok {
		if text := strings.TrimSpace(n.Text); !validValue(typeName, text) {
			return []string{path + ": " + text + " is no " + typeName}
		}
		return nil
	}
	var found []string
	last, seen := -1, map[string]bool{}
	for _, child := range n.Nodes {
		name := child.XMLName.Local
		childType, known := kind.elements[name]
		at := slices.Index(kind.order, name)
		switch {
		case !known:
			found = append(found, path+" has no element "+name)
			continue
		case seen[name]:
			found = append(found, path+" has two elements "+name)
		case kind.ordered && at < last:
			found = append(found, path+": "+name+" is out of order")
		}
		last, seen[name] = at, true
		found = append(found, faults(child, childType, path+"/"+name)...)
	}
	return found
}

func validValue(kind, text string) bool {
	switch kind {
	case "any":
		return true
	case "string":
		return text != ""
	case "boolean":
		return text == "true" || text == "false"
	case "duration":
		return strings.HasPrefix(text, "P") && !strings.Contains(text, " ")
	case "dateTime":
		return len(text) == len("2026-01-01T00:00:00") && text[10] == 'T'
	}
	return slices.Contains(strings.Fields(kind), text)
}

func attr(n node, path, name string) string {
	for _, step := range strings.Split(path, "/") {
		i := slices.IndexFunc(n.Nodes, func(c node) bool { return c.XMLName.Local == step })
		if i < 0 {
			return ""
		}
		n = n.Nodes[i]
	}
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
