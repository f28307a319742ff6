package timer

import (
	"fmt"
	"path/filepath"
	"strings"
)

// systemd returns the plan for systemd: units of the user or, for another account, units of the
// system. Units of the user run while nobody is logged in only if lingering is turned on.
func systemd(j Job) *Plan {
	folder, ctl := filepath.Join(j.Home, ".config", "systemd", "user"), []string{"systemctl", "--user"}
	account := ""
	if j.Root {
		folder, ctl = "/etc/systemd/system", []string{"systemctl"}
		account = "User=" + unitText(j.User) + "\n"
	}
	control := func(proves string, words ...string) Command {
		c := Command{Args: append(append([]string{}, ctl...), words...)}
		if proves != "" {
			c.Proves = func(output string) bool { return strings.TrimSpace(output) == proves }
		}
		return c
	}

	words := []string{unitWord(j.Program)} // systemd expands no variables in the first word
	for _, arg := range j.Args {
		words = append(words, strings.ReplaceAll(unitWord(arg), "$", "$$"))
	}
	service := fmt.Sprintf(`[Unit]
Description=tripimport: do what is due of the nightly import

[Service]
Type=oneshot
%sExecStart=%s
WorkingDirectory=%s
UMask=0077
TimeoutStartSec=%d
TimeoutStopSec=300
# These say that rows or trips need somebody, not that the wake has failed.
SuccessExitStatus=3 4 8
`, account, strings.Join(words, " "), unitText(j.Folder), int(Limit.Seconds()))
	schedule := fmt.Sprintf(`[Unit]
Description=tripimport: wake the nightly import every %d minutes

[Timer]
OnCalendar=*:0/%[1]d
AccuracySec=30s

[Install]
WantedBy=timers.target
`, int(Every.Minutes()))

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
	return p
}

// unitText escapes a value for a unit file, in which % begins a specifier.
func unitText(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// unitWord quotes a word of a command line for a unit file.
func unitWord(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(text) + `"`
}
