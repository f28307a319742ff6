package timer

import "path"

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

	text, err := filled("launchd.plist", j)
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
