package app

import (
	"cmp"
	"runtime"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
)

// commands returns what the results of that name suggest to run next.
func (j *job) commands(written string) results.Commands {
	files, source := j.partsOr(j.inputPath()), j.source()

	c := results.Commands{
		Again: j.spell(importer.Again, files...), Resolve: j.spell(importer.ListOpen), Elsewhere: j.toCancel,
	}
	if j.unplaced != "" {
		c.AddPlaces = j.spell(importer.AddPlaces, j.unplaced)
	}
	if j.isCheck() {
		switch { // the results of a check are not sent, but their schedule
		case j.edited == nil:
			c.Import = j.spell(importer.ImportFile, files...)
		case !j.edited.Check:
			c.Import = j.spell(importer.RetryResults, files...)
		}
		return c
	}

	c.Fresh, c.Retry = j.spell(importer.WriteResults, j.start.Run.ID, source), j.spell(importer.RetryResults, written)
	if j.opts.Rehearsal {
		c.Fresh, c.Retry = j.spell(importer.Rehearse, source), j.spell(importer.RetryRehearsal, written)
		if j.edited != nil { // cells were fixed in the results
			files = []string{written}
		}
	}
	c.Import = j.spell(importer.ImportFile, files...)
	if j.plan.Newer == nil { // what an older schedule says is not sent
		c.Update = j.spell(importer.SendChanges, j.partsOr(source)...)
	}
	return c
}

// partsOr returns all files of the command if they may be parts of one schedule, and the file otherwise: one of them
// alone would say that the trips of the others are gone.
func (j *job) partsOr(file string) []string {
	if len(j.opts.Parts) > 0 {
		return j.opts.Parts
	}
	return []string{file}
}

// inputPath returns the file of this job.
func (j *job) inputPath() string { return cmp.Or(j.list, j.path) }

// source returns the schedule, also the one behind a results workbook.
func (j *job) source() string {
	if j.schedule != nil {
		return j.path
	}
	return j.described.Path
}

// spell says how a job is started; "" without a speller.
func (a *App) spell(do importer.Action, on ...string) string {
	if a.env.Spell == nil {
		return ""
	}
	return a.env.Spell(do, on...)
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
