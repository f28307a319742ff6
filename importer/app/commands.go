package app

import (
	"runtime"
	"slices"
	"strings"

	"tripimport/importer/results"
)

// commands returns the command lines that the results suggest to run next. They repeat
// what this command was given, as far as the next one takes it.
func (j *job) commands(run string) results.Commands {
	files := j.given()
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
	case j.isCheck() && j.command == "update":
		again := j.line("update", j.again(), files...)
		return results.Commands{Again: again, Update: again, Resolve: j.line("resolve", "")}
	case j.isCheck():
		return results.Commands{
			Again: j.line("check", j.again(), files...), Import: func(string) string { return j.afterCheck(files) }, Resolve: j.line("resolve", ""),
			Approve: approve,
		}
	}

	fresh := j.line("results", j.sandbox(), run)
	for _, path := range sources {
		fresh += " --input " + Quoted(path)
	}
	command := j.command
	if j.replay != nil || j.fromRehearsal(j.edited) {
		command = "import"
	}
	c := results.Commands{
		Retry: func(written string) string { return j.line("retry", j.sandbox()+j.rehearsedToday(), written) },
		Again: j.line(command, j.sandbox()+j.again(), files...),
		Fresh: fresh,
	}

	switch {
	case j.opts.Rehearsal:
		c.Import, c.Approve = func(written string) string { return j.afterRehearsal(files, written) }, approve
	case j.command == "update":
		c.Resolve = j.line("resolve", "")
	default:
		c.Resolve, c.Update = j.line("resolve", ""), j.line("update", "", sources...)
	}
	return c
}

// commandsOfRun returns the commands of the run that begins, and, once that is written, the
// one that adds the addresses without coordinates.
func (j *job) commandsOfRun() results.Commands {
	c := j.commands(j.start.Run.ID)
	c.Older = j.older
	c.AddPlaces = func() string {
		if j.unplaced == "" {
			return ""
		}
		return j.line("places add", "", j.unplaced)
	}
	return c
}

// afterCheck returns the command that sends what was checked: none for the results of
// a check, of which only the schedule is sent.
func (j *job) afterCheck(files []string) string {
	switch {
	case j.edited == nil, j.edited.Rehearsal():
		return j.line("import", "", files...)
	case j.edited.Check():
		return ""
	}
	return j.line("retry", "", files...)
}

// afterRehearsal returns the command that books what was rehearsed: the schedule or,
// where cells were fixed, the results that have them.
func (j *job) afterRehearsal(files []string, written string) string {
	if j.edited == nil {
		return j.line("import", "", files...)
	}
	if j.opts.FailedOnly { // the results that were written have not all rows
		written = j.path
	}
	return j.line("import", "", written)
}

// given returns the files of this command, each once.
func (j *job) given() []string {
	if len(j.schedules) == 0 {
		return []string{j.path}
	}
	var paths []string
	for _, s := range j.schedules {
		if !slices.Contains(paths, s.path) { // of a file there may be several sheets
			paths = append(paths, s.path)
		}
	}
	return paths
}

func (j *job) sandbox() string {
	if j.opts.Rehearsal {
		return " --sandbox"
	}
	return ""
}

// rehearsedToday returns the day that a rehearsal was given as today. A real run takes
// the real one.
func (j *job) rehearsedToday() string {
	if j.opts.Rehearsal && j.opts.Today != "" {
		return " --today " + j.opts.Today
	}
	return ""
}

// again returns the options of this run that the same command needs again.
func (j *job) again() string {
	var b strings.Builder
	for _, o := range []struct {
		given bool
		flag  string
	}{
		{j.opts.Today != "", "--today " + j.opts.Today},
		{j.opts.ForDay != "", "--for " + j.opts.ForDay},
		{j.opts.Access == OnlineAccess, "--online"},
		{j.opts.Access == SavedAccess, "--offline-access"},
		{j.opts.Update, "--update"},
		{j.opts.Frozen, "--frozen"},
		{j.opts.FailedOnly, "--failed-only"},
		{j.opts.Redact, "--redact"},
		{j.opts.Report != "", "--report " + j.opts.Report},
	} {
		if o.given {
			b.WriteString(" " + o.flag)
		}
	}
	return b.String()
}

// line returns a command line with options, and with the settings that were given as
// flags and that the command takes.
func (j *job) line(command, options string, args ...string) string {
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
	reading := []string{"mapping", "mappings", "places", "geocoder", "geocoder_url", "results_format", "log_format"}
	asking := []string{"base_url", "token_file", "token_command", "timeout", "guid_field", "answer_ids"}
	sending := slices.Concat(reading, asking, []string{"ledger", "rate", "burst", "workers"})
	switch command {
	case "check":
		return slices.Concat(reading, asking)
	case "import":
		return append(sending, "changes", "freeze")
	case "update":
		return append(sending, "freeze")
	case "resolve":
		return append(asking, "ledger", "mapping", "mappings", "lookup_path", "lookup_guid")
	case "results":
		return append(reading, "ledger")
	case "places add":
		return []string{"places"}
	}
	return sending
}

// Quoted puts a path in quotes where a shell would split it or give one of its
// characters a meaning, and keeps one that begins with a dash from being read as flags.
func Quoted(path string) string {
	switch {
	case strings.HasPrefix(path, "-"):
		return Quoted("./" + path)
	case strings.ContainsAny(path, "$`\"\\*?!") && runtime.GOOS != "windows" && !strings.Contains(path, "'"):
		return "'" + path + "'"
	case strings.ContainsAny(path, " ()'&;"):
		return `"` + path + `"`
	}
	return path
}
