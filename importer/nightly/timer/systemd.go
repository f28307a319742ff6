package timer

import (
	"fmt"
	"path/filepath"
	"strings"
)

// systemd returns the plan for systemd: units of the user or, for another account, units of the
// system. Units of the user run while nobody is logged in only if lingering is turned on.
func systemd(j Job) (*Plan, error) {
	folder, ctl := filepath.Join(j.Home, ".config", "systemd", "user"), []string{"systemctl", "--user"}
	if j.Root {
		folder, ctl = "/etc/systemd/system", []string{"systemctl"}
	}
	control := func(proves string, words ...string) Command {
		c := Command{Args: append(append([]string{}, ctl...), words...)}
		if proves != "" {
			c.Proves = func(output string) bool { return strings.TrimSpace(output) == proves }
		}
		return c
	}

	service, err := filled("systemd.service", j)
	if err != nil {
		return nil, err
	}
	schedule, err := filled("systemd.timer", j)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		System: "systemd", Schedule: service + "\n" + schedule,
		Files: []File{
			{filepath.Join(folder, name+".service"), []byte(service)},
			{filepath.Join(folder, name+".timer"), []byte(schedule)},
		},
		Install: []Command{control("", "daemon-reload"), control("", "enable", "--now", name+".timer")},
		Check:   []Command{control("enabled", "is-enabled", name+".timer"), control("active", "is-active", name+".timer")},
		Wake:    []Command{control("", "start", name+".service")},
		Remove:  []Command{control("", "disable", "--now", name+".timer")},
		Notes: []string{
			fmt.Sprintf("a wake is ended after %.0f hours; one runs at a time", Limit.Hours()),
			"what a wake says is in the journal: " + strings.Join(append(append([]string{"journalctl"}, ctl[1:]...), "-u", name), " "),
		},
	}
	if !j.Root {
		p.Install = append([]Command{{Args: []string{"loginctl", "enable-linger", j.User}}}, p.Install...)
		p.Check = append(p.Check, Command{
			Args:   []string{"loginctl", "show-user", j.User, "--property=Linger", "--value"},
			Proves: func(output string) bool { return strings.TrimSpace(output) == "yes" },
		})
		p.Notes = append(p.Notes, "lingering is turned on for "+j.User+": without it nothing runs while nobody is logged in")
	}
	return p, nil
}
