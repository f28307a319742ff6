package timer

import (
	"bytes"
	_ "embed"
	"encoding/xml"
	"fmt"
	"path"
	"text/template"
)

// launchd returns the plan for macOS: an agent of the user or, for another account, a daemon.
func launchd(j Job) (*Plan, error) {
	file, domain := path.Join(j.Home, "Library/LaunchAgents", name+".plist"), "gui/"+j.UID
	notes := []string{
		"an agent runs only while " + j.User + " is logged in; one that an administrator installs for this account always runs",
		"no end is set to a wake; one runs at a time; a computer that sleeps is not woken",
	}
	if j.Root {
		file, domain, notes = path.Join("/Library/LaunchDaemons", name+".plist"), "system", notes[1:]
	}

	text, err := filled(plist, j)
	if err != nil {
		return nil, err
	}
	return &Plan{
		System: "launchd", Schedule: text, Files: []File{{file, []byte(text)}}, Notes: notes,
		Install: []Command{
			{Args: []string{"launchctl", "bootout", domain + "/" + name}, Optional: true},
			{Args: []string{"launchctl", "bootstrap", domain, file}},
		},
		Check:  []Command{{Args: []string{"launchctl", "print", domain + "/" + name}}},
		Wake:   []Command{{Args: []string{"launchctl", "kickstart", domain + "/" + name}}},
		Remove: []Command{{Args: []string{"launchctl", "bootout", domain + "/" + name}}},
	}, nil
}

// filled returns the text of an XML template, filled in for a job.
func filled(text string, job any) (string, error) {
	t, err := template.New(name).Funcs(template.FuncMap{
		"name":    func() string { return name },
		"minutes": func() int { return int(Every.Minutes()) },
		"seconds": func() int { return int(Every.Seconds()) },
		"hours":   func() int { return int(Limit.Hours()) },
		"text": func(s string) (string, error) {
			var b bytes.Buffer
			err := xml.EscapeText(&b, []byte(s))
			return b.String(), err
		},
	}).Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, job); err != nil {
		return "", fmt.Errorf("the schedule can't be written: %w", err)
	}
	return b.String(), nil
}

//go:embed launchd.plist
var plist string
