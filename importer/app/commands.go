package app

import (
	"runtime"
	"slices"
	"strings"

	"tripimport/importer/results"
)

// commands returns the command lines that the results suggest to run next. They repeat the
// files, options and settings of this command, as far as the next command takes them.
func (j *job) commands(run string) results.Commands {
	files := j.inputPaths()
	sources := files // the schedules, also those behind a results workbook
	if len(j.schedules) == 0 {
		sources = nil
		for _, in := range j.described {
			sources = append(sources, in.Path)
		}
	}

	approve := ""
	if j.mapping.Draft() {
		approve = "tripimport mapping approve " + Quoted(j.mapping.File()) + " " + Quoted(sources[0])
	}

	switch {
	case j.isCheck():
		return results.Commands{
			Again: j.commandLine("check", j.repeatedFlags(), files...), Import: func(string) string { return j.afterCheck(files) }, Resolve: j.commandLine("morning", ""),
			Approve: approve,
		}
	}

	fresh := j.commandLine("results", j.sandboxFlag(), run)
	for _, path := range sources {
		fresh += " --input " + Quoted(path)
	}
	command := j.command
	if j.replay != nil || j.fromRehearsal(j.edited) {
		command = "import"
	}
	c := results.Commands{
		Retry: func(written string) string { return j.commandLine("retry", j.sandboxFlag()+j.todayFlag(), written) },
		Again: j.commandLine(command, j.sandboxFlag()+j.repeatedFlags(), files...),
		Fresh: fresh,
	}

	switch {
	case j.opts.Rehearsal:
		c.Import, c.Approve = func(written string) string { return j.afterRehearsal(files, written) }, approve
	default:
		c.Resolve, c.Update = j.commandLine("morning", ""), j.sendChanges(sources)
	}
	return c
}

// commandsOfRun returns the commands for the run that begins. AddPlaces among them names the
// file of addresses without coordinates, once that file is written.
func (j *job) commandsOfRun() results.Commands {
	c := j.commands(j.start.Run.ID)
	c.Older = j.plan != nil && j.plan.Newer != nil
	c.AddPlaces = func() string {
		if j.unplaced == "" {
			return ""
		}
		return j.commandLine("places add", "", j.unplaced)
	}
	return c
}

// afterCheck returns the command that sends what was checked. It is empty for the results of
// a check, because only their schedule may be sent.
func (j *job) afterCheck(files []string) string {
	switch {
	case j.edited == nil, j.edited.Rehearsal():
		return j.commandLine("import", "", files...)
	case j.edited.Check():
		return ""
	}
	return j.commandLine("retry", "", files...)
}

// afterRehearsal returns the command that books what was rehearsed: the schedule, or the
// results in which cells were fixed.
func (j *job) afterRehearsal(files []string, written string) string {
	if j.edited == nil {
		return j.commandLine("import", "", files...)
	}
	if j.opts.FailedOnly { // the results written now lack rows
		written = j.path
	}
	return j.commandLine("import", "", written)
}

// inputPaths returns the files of this command, each once.
func (j *job) inputPaths() []string {
	if len(j.schedules) == 0 {
		return []string{j.path}
	}
	var paths []string
	for _, s := range j.schedules {
		if !slices.Contains(paths, s.path) { // a file may have several sheets
			paths = append(paths, s.path)
		}
	}
	return paths
}

func (j *job) sandboxFlag() string {
	if j.opts.Rehearsal {
		return " --sandbox"
	}
	return ""
}

// todayFlag returns the flag --today of a rehearsal that was given one.
func (j *job) todayFlag() string {
	if j.opts.Rehearsal && j.opts.Today != "" {
		return " --today " + j.opts.Today
	}
	return ""
}

// repeatedFlags returns the options of this command that it needs when it is run again.
func (j *job) repeatedFlags() string {
	var b strings.Builder
	for _, o := range []struct {
		given bool
		flag  string
	}{
		{j.opts.Today != "", "--today " + j.opts.Today},
		{j.opts.ForDay != "", "--for " + j.opts.ForDay},
		{j.opts.Access == OnlineAccess, "--online"},
		{j.opts.Access == SavedAccess, "--offline-access"},
		{j.opts.FailedOnly, "--failed-only"},
		{j.opts.Redact, "--redact"},
	} {
		if o.given {
			b.WriteString(" " + o.flag)
		}
	}
	return b.String()
}

// sendChanges returns the command that sends what changed. A run that was told to send it held it
// back until a person has looked at it: the same command asks at a terminal.
func (j *job) sendChanges(sources []string) string {
	if j.Settings["changes"].given() {
		return j.commandLine("import", "", sources...)
	}
	return j.commandLine("import", " --changes send", sources...)
}

// commandLine returns a command line with the options, with those settings of this command
// that were given as flags and that the other command takes, and with the arguments quoted.
func (j *job) commandLine(command, options string, args ...string) string {
	var b strings.Builder
	b.WriteString("tripimport " + command + options)
	for _, s := range KnownSettings() {
		v := j.Settings[s.Key]
		if !v.given() || !slices.Contains(flagsOf(command), s.Key) {
			continue
		}
		flag := "--" + FlagName(s.Key)
		if s.Key == "mapping" {
			flag = "-m"
		}
		b.WriteString(" " + flag + " " + Quoted(v.Text))
	}
	for _, arg := range args {
		b.WriteString(" " + Quoted(arg))
	}
	return b.String()
}

// flagsOf returns the settings that a command takes as flags.
func flagsOf(command string) []string {
	reading := []string{"mapping", "mappings", "geocoder", "geocoder_url", "results_format"}
	asking := []string{"base_url", "token_file", "token_command", "timeout", "guid_field"}
	sending := slices.Concat(reading, asking, []string{"ledger", "rate", "burst", "workers"})
	switch command {
	case "check":
		return slices.Concat(reading, asking)
	case "import":
		return append(sending, "changes", "freeze")
	case "morning":
		return []string{"ledger", "mappings", "geocoder", "geocoder_url"}
	case "results":
		return append(reading, "ledger")
	case "places add":
		return nil
	}
	return sending
}

// Quoted puts a path in quotes if a shell would split it or interpret one of its characters.
// A path that begins with a dash gets "./" before it, so that it is not read as a flag.
func Quoted(path string) string {
	switch {
	case strings.HasPrefix(path, "-"):
		return Quoted("./" + path)
	case strings.ContainsAny(path, "$`\"\\*?!") && runtime.GOOS != "windows":
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	case strings.ContainsAny(path, " ()'&;,^<>|[]{}#~"):
		return `"` + path + `"`
	}
	return path
}
