package timer

import (
	_ "embed" // for the template
	"fmt"
	"html"
	"regexp"
	"strings"
	"text/template"

	"golang.org/x/text/encoding/unicode"
)

// taskScheduler returns the plan for Windows: a task that runs whether or not somebody is logged
// on, and therefore opens no window. Windows itself asks for the account's password, so that it
// is never an argument.
func taskScheduler(j Job) (*Plan, error) {
	// The template has its elements in the order of the published schema. It sets explicitly what would
	// skip a night by default: running on battery, and running after a missed start.
	var b strings.Builder
	t, err := template.New(name).Parse(taskXML)
	if err == nil {
		err = t.Execute(&b, task{j, inOneLine(j.Args), Every.Minutes(), Limit.Hours()})
	}
	if err != nil {
		return nil, err
	}
	text := b.String()
	file := j.Folder + `\` + name + ".xml"
	return &Plan{
		System: "the Task Scheduler", Account: j.User, Schedule: text,
		Install: Command{Args: []string{"schtasks", "/create", "/f", "/tn", name, "/xml", file, "/ru", j.User, "/rp", "*"}, Ask: true}, File: file, Text: utf16Text(text),
		Check:  Command{Args: []string{"schtasks", "/query", "/tn", name, "/xml"}},
		Proves: func(output string) bool { return sameTask(output, text) },
		Wake:   Command{Args: []string{"schtasks", "/run", "/tn", name}},
		Remove: Command{Args: []string{"schtasks", "/delete", "/f", "/tn", name}},
		Notes: []string{
			"it runs whether somebody is logged on or not, without a window, on battery too, and soon after a start that was missed",
			fmt.Sprintf("a wake is ended after %.0f hours; one runs at a time; a computer that sleeps is not woken: set it not to sleep at night", Limit.Hours()),
			`a drive letter that stands for a folder of another computer is not there at night: write \\server\folder in the settings`,
			"Windows asks for the password of " + j.User + " and keeps it; when that password changes, install again",
			"if that is a person's account, nights end when the person leaves: an account of the office's own, which installs it, is safer",
		},
	}, nil
}

//go:embed task.xml
var taskXML string

// A task is what the template is filled in with: a Job, its arguments in one text, and the times
// in minutes and hours.
type task struct {
	Job
	Line         string
	Every, Limit float64
}

// utf16Text encodes a text in UTF-16 with a byte order mark, as the Task Scheduler wants it.
func utf16Text(text string) []byte {
	encoded, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(strings.ReplaceAll(text, "\n", "\r\n"))) // it encodes every text
	return encoded
}

// sameTask reports whether a task that was read back is turned on and has the values that decide when
// and how it runs. Windows adds values of its own, leaves out some that are its defaults, and may write
// them in another order.
func sameTask(got, want string) bool {
	decisive := regexp.MustCompile("<(Interval|LogonType|MultipleInstancesPolicy|DisallowStartIfOnBatteries|StopIfGoingOnBatteries|StartWhenAvailable|ExecutionTimeLimit|Command|Arguments|WorkingDirectory)>.*")
	got = inASCII(got)
	for _, set := range decisive.FindAllString(inASCII(want), -1) {
		if !strings.Contains(got, set) {
			return false
		}
	}
	return !strings.Contains(got, "<Enabled>false")
}

// inASCII returns a task in a form in which tasks are compared. Windows declares its output as UTF-16, but
// prints it in the code page of the console, which may lack letters.
func inASCII(task string) string {
	task = html.UnescapeString(strings.NewReplacer("\x00", "", "\r", "").Replace(task))
	return regexp.MustCompile(`[^\x00-\x7f]+`).ReplaceAllString(task, "?")
}
