package app

import (
	"runtime"
	"strings"

	"tripimport/importer/results"
)

// commands returns the command lines that the results suggest to run next.
func (j *job) commands(run string) results.Commands {
	sandbox := ""
	if j.opts.Rehearsal {
		sandbox = " --sandbox"
	}

	options := j.repeatedFlags()
	var sources []string // the schedules, also those behind a results workbook
	for _, s := range j.schedules {
		sources = append(sources, Quoted(s.path))
	}
	file := strings.Join(sources, " ")
	if len(j.schedules) == 0 {
		for _, in := range j.described {
			sources = append(sources, Quoted(in.Path))
		}
		file = Quoted(j.path)
	}
	source := strings.Join(sources, " ")

	if j.isCheck() && j.command == "update" {
		again := "tripimport update" + options + " " + file
		return results.Commands{Again: again, Update: again, Resolve: "tripimport resolve"}
	}
	if j.isCheck() {
		return results.Commands{
			Again: "tripimport check" + options + " " + file, Import: "tripimport import" + options + " " + file,
			Resolve: "tripimport resolve",
		}
	}

	c := results.Commands{
		Retry: func(results string) string { return "tripimport retry" + sandbox + options + " " + Quoted(results) },
		Again: "tripimport " + j.command + sandbox + options + " " + file,
		Fresh: "tripimport results " + run + sandbox + options + " --input " + strings.Join(sources, " --input "),
	}

	if j.replay != nil {
		c.Again = "tripimport import" + options + " " + file
	}
	if j.opts.Rehearsal {
		c.Import = "tripimport import" + options + " " + source
	} else {
		c.Resolve = "tripimport resolve"
		if j.command != "update" {
			c.Update = "tripimport update" + options + " " + source
		}
	}
	return c
}

// repeatedFlags returns the flags of this command that the next one needs as
// well: those of the mapping and the places, where they were given.
func (j *job) repeatedFlags() string {
	var b strings.Builder
	for _, f := range []struct{ key, flag string }{{"mapping", "-m"}, {"places", "--places"}} {
		if v := j.Settings[f.key]; v.given() {
			b.WriteString(" " + f.flag + " " + Quoted(v.Text))
		}
	}
	return b.String()
}

// Quoted puts a path in quotes where a shell would split it or give one of its
// characters a meaning.
func Quoted(path string) string {
	switch {
	case strings.ContainsAny(path, "$`\"\\*?!") && runtime.GOOS != "windows" && !strings.Contains(path, "'"):
		return "'" + path + "'"
	case strings.ContainsAny(path, " ()'&;"):
		return `"` + path + `"`
	case strings.HasPrefix(path, "-"):
		return "./" + path
	}
	return path
}
