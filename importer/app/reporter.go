package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/atomicfile"
)

// A reporter is the importer.Reporter of a job. It writes the results, and passes the rows on to the
// job's Events.
type reporter struct {
	*job
	// options are the options of writer. A check writes no file before its first finding.
	options results.Options
	writer  *results.Writer
	// needsFile reports that a check that writes no file has a finding, and again that it is done again, with a file.
	needsFile, again bool
	// open records what a run of the office leaves open; nil for any other.
	open *openRecorder
	// last is the last day of service of the rows so far.
	last importer.Date
}

// newReporter prepares the results. Nothing is written before the run starts.
func (j *job) newReporter() *reporter {
	options := results.Options{
		Path: j.output(), Format: j.format(), Key: j.sealKey(), Input: j.described,
		Mapping:  results.MappingInfo{Name: j.mapping.Name(), Path: mappingPath(j.mapping), Hash: j.mapping.Meaning()},
		Commands: j.commands, Location: j.zone(), Now: j.clock.Now, Number: j.ledgerNumber,
		NoFile: j.isCheck() && (j.opts.Output == "" || j.opts.NoResults), Redact: j.opts.Redact,
		Deleted: j.deleted,
	}
	return &reporter{job: j, options: options, writer: results.New(options)}
}

// beginFile begins the results of a check again, now with a file. Rows that were reported to Events are not
// reported again.
func (r *reporter) beginFile() {
	r.options.NoFile, r.again = false, true
	r.writer = results.New(r.options)
}

// sealKey returns the key that seals the rows of the results. It is the ledger's key, so that
// a retry accepts only results of the same ledger; nil for a check, whose results can't be sent back.
func (j *job) sealKey() []byte {
	if j.isCheck() {
		return nil
	}
	return j.ledger.Key("results")
}

// format returns the format of the results: that of the output by its name, otherwise the one that the settings name.
func (j *job) format() results.Format {
	return cmp.Or(results.FormatOf(j.opts.Output), results.Format(j.Settings.Text("results_format"))) // no other word is a setting
}

// output returns the path of the results.
func (j *job) output() string {
	path := j.path
	if j.opts.OutputFolder != "" {
		path = filepath.Join(j.opts.OutputFolder, filepath.Base(path))
	}
	return cmp.Or(j.opts.Output, results.Name(path, j.started, j.kind(), j.format()))
}

// checkOutput refuses to begin if the results can't be written.
func (j *job) checkOutput(context.Context) error {
	format, path := j.format(), j.output()
	if results.FormatOf(path) == "" {
		return Usage("name it so", "--results %s must end in %s", path, results.Endings())
	}
	folder, elsewhere := filepath.Dir(path), "name another place for the results with -o FOLDER/results."+string(format)
	if full, err := filepath.Abs(folder); err == nil && full == "/dev" { // beside /dev/stdin
		return Usage(elsewhere, "the results can't be written: the folder %s is for devices; nothing was sent", folder)
	}
	private, err := j.tryFolder(folder, "the results", "see that its disk is connected, or "+elsewhere)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(atomicfile.LongestName(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Usage("give the schedule a shorter name, or "+elsewhere,
			"the results can't be written: their name would be too long, %s; nothing was sent", filepath.Base(path))
	}
	if !private {
		j.notice("other users of this machine can read what is written to the folder %s: its disk keeps no file private", folder)
	}
	return nil
}

// isCheck reports whether the job neither sends anything nor repeats the results of a run
// that did.
func (j *job) isCheck() bool { return j.service == nil && j.rewritten == nil }

// kind returns what kind of job the results come from.
func (j *job) kind() results.Kind {
	switch {
	case j.isCheck():
		return results.OfCheck
	case j.opts.Rehearsal:
		return results.OfRehearsal
	}
	return results.OfImport
}

// Start implements importer.Reporter.
func (r *reporter) Start(start importer.RunStart) error { return r.writer.Start(start) }

// Row implements importer.Reporter.
func (r *reporter) Row(row importer.RowResult) error {
	r.needsFile = r.needsFile || r.options.NoFile && !r.opts.NoResults && len(row.Problems) > 0
	if !r.again {
		r.telling.Lock()
		r.events.Row(row)
		r.telling.Unlock()
	}
	if r.open != nil {
		r.open.row(&row)
		if day := row.Day(); day.Compare(r.last) > 0 {
			r.last = day
		}
	}
	return r.writer.Row(row)
}

// End implements importer.Reporter. It leaves results open that begin again.
func (r *reporter) End(result importer.RunResult) error {
	if r.needsFile && !r.again {
		return nil
	}
	if r.open != nil {
		r.open.gone(result.Gone)
		r.open.tellUnwanted()
		r.open.flush(0)
	}
	unplacedErr := r.writeUnplaced()
	if err := r.writer.End(result); err != nil {
		return resultsFailed(err)
	}
	written := r.writer.Summary().Files
	r.shareWritten(written...)
	if r.open != nil && result.Stop == nil {
		unplacedErr = errors.Join(unplacedErr, r.issue(written))
	}
	return unplacedErr
}

// resultsFailed returns the error for results that could not be written.
func resultsFailed(err error) error {
	if system, ok := errors.AsType[syscall.Errno](err); ok {
		err = system
	}
	return &Error{
		Unexpected, fmt.Sprintf("the results could not be written: %s", err),
		"see that there is room and that this user may write there, then do the same again: what was sent is recorded",
	}
}
