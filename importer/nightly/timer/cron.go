package timer

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// The schedule is written between these lines of a crontab. The rest of the crontab is left as
// it is.
const (
	cronBegin = "# BEGIN tripimport nightly: written by `tripimport nightly install`"
	cronEnd   = "# END tripimport nightly"
)

// cron returns the plan for the crontab of the job's account.
func cron(ctx context.Context, j Job, run Runner) (*Plan, error) {
	list := Command{Args: []string{"crontab", "-l"}}
	table, err := run(ctx, list)
	if err != nil && !strings.Contains(err.Error(), "no crontab for") {
		return nil, fmt.Errorf("the crontab of %s can't be read, so it is not changed: %w", j.User, err)
	}
	others, err := withoutOurs(table)
	if err != nil {
		return nil, err
	}

	words := []string{shellWord(j.Program)}
	for _, arg := range j.Args {
		words = append(words, shellWord(arg))
	}
	line := "cd " + shellWord(j.Folder) + " && exec " + strings.Join(words, " ")
	// Cron ends a command at an unescaped %, even between quotes.
	ours := fmt.Sprintf("%s\n*/%d * * * * %s\n%s\n", cronBegin, int(Every.Minutes()), strings.ReplaceAll(line, "%", `\%`), cronEnd)

	// The environment that cron gives to a command, and nothing else.
	wake := []string{"env", "-i", "HOME=" + j.Home, "LOGNAME=" + j.User, "SHELL=/bin/sh", "PATH=/usr/bin:/bin", "/bin/sh", "-c", line}
	remove := Command{Args: []string{"crontab", "-"}, Input: others}
	if others == "" {
		remove = Command{Args: []string{"crontab", "-r"}}
	}
	return &Plan{
		System: "cron", Account: j.User, Schedule: ours,
		Install: Command{Args: []string{"crontab", "-"}, Input: others + ours},
		Check:   list,
		Proves:  func(output string) bool { return output == others+ours },
		Wake:    Command{Args: wake},
		Remove:  remove,
		Notes: []string{
			"cron has to run on this computer at night; it sets no end to a wake",
			"what a wake says, cron mails to " + j.User + " on this computer",
		},
	}, nil
}

// withoutOurs returns a crontab without our schedule.
func withoutOurs(table string) (string, error) {
	before, rest, found := strings.Cut(table, cronBegin+"\n")
	if !found {
		if table != "" && !strings.HasSuffix(table, "\n") {
			table += "\n"
		}
		return table, nil
	}
	_, after, found := strings.Cut(rest, cronEnd+"\n")
	if !found {
		return "", errors.New("the crontab has the line that begins the schedule, but not the one that ends it: correct it with `crontab -e`")
	}
	return before + after, nil
}

// shellWord quotes a word for sh.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
