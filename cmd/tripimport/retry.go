package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

func newRetry(w world) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "retry RESULTS-FILE",
		Short: "send the rows that you mended in the results workbook, and nothing twice",
		Example: `  tripimport retry schedule.xlsx.20261202T031500Z.results.xlsx
  tripimport retry --sandbox schedule.xlsx.20261202T031500Z.rehearsal.xlsx`,
		Long: `Mend the marked cells in the results workbook itself, save it, and give it to
retry: only trips that are not booked are sent, and only the leg that is missing.
The mapping is used as it is now, so a code that was missing in it is mended
there. Answers in the column "What we found" settle trips that may be booked.

exit: as of import`,
		Args: args(cobra.ExactArgs(1), "name one results workbook"),
		RunE: func(cmd *cobra.Command, paths []string) error { return runRetry(cmd, w, f, paths[0]) },
	}
	f.addReading(cmd)
	f.addSending(cmd)
	return cmd
}

func runRetry(cmd *cobra.Command, w world, f runFlags, path string) (err error) {
	if err := f.check(cmd); err != nil {
		return err
	}
	a, err := newApp(cmd, w)
	if err != nil {
		return err
	}
	j := &job{app: a, opts: f, command: "retry", started: time.Now(), path: path, rehearsal: f.sandbox}
	if err := j.openVenue(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.venue.close()) }()
	back, err := returned.Open(path, func(identity string) ([]byte, error) { return j.resultsKey(path, identity) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, back.Close()) }()
	if err := j.refuseOtherKind(back); err != nil {
		return err
	}
	if err := j.bindReturned(back); err != nil {
		return err
	}
	if err := refuseDraft(j.mapping, f.sandbox); err != nil {
		return err
	}
	if n := back.Missing(); n > 0 {
		j.notice("%s of the results are no longer there: they are not looked at", plural(n, "row"))
	}
	if err := j.allowEdits(back); err != nil {
		return err
	}
	if err := j.takeAnswers(cmd.Context(), back); err != nil {
		return err
	}
	return j.carryOut(cmd.Context())
}

// resultsKey gives the key of the ledger that the results belong to: the one
// that is open, or none.
func (j *job) resultsKey(path, identity string) ([]byte, error) {
	if identity == j.venue.ledger.Identity() {
		return j.venue.ledger.Key("results"), nil
	}
	if j.rehearsal {
		return nil, usage("retry it without --sandbox, or rehearse the schedule again", "%s does not belong to the rehearsals kept on this machine", filepath.Base(path))
	}
	return nil, usage("run retry where that ledger is; a rehearsal's workbook needs --sandbox", "%s belongs to another ledger than %s", filepath.Base(path), j.venue.ledger.Location())
}

// refuseOtherKind keeps rehearsals, checks and real runs apart.
func (j *job) refuseOtherKind(back *returned.Results) error {
	name := filepath.Base(j.path)
	switch {
	case back.Check():
		return usage("mend the schedule itself, then import it", "%s is of a check: nothing of it was ever sent", name)
	case back.Rehearsal() && !j.rehearsal:
		return usage("add --sandbox, or import the schedule", "%s is of a rehearsal: nothing in it was really booked", name)
	case !back.Rehearsal() && j.rehearsal:
		return usage("leave --sandbox away", "%s is of a real run", name)
	}
	return nil
}

// bindReturned binds the mapping, as it is now, to the source columns.
func (j *job) bindReturned(back *returned.Results) error {
	// Rows are mended for the mapping that read them: only a flag names another,
	// never a setting that happens to be in force.
	name := back.Mapping().Path
	if given := j.settings["mapping"]; given.Origin == "--mapping" {
		name = given.Value
	}
	m, err := j.namedMapping(name)
	if err != nil {
		return err
	}
	j.mapping = m
	for _, in := range back.Inputs() {
		bound, err := m.Bind(in.Head, in.Name)
		if err != nil {
			return err
		}
		j.inputs = append(j.inputs, run.Input{Source: back.Source(in.Name), Mapper: bound, MappingHash: m.Hash()})
		j.results = append(j.results, in)
	}
	return nil
}

// allowEdits asks about cells that were changed although nothing was wrong
// with them.
func (j *job) allowEdits(back *returned.Results) error {
	edits := back.Edits()
	if len(edits) == 0 || j.opts.yes {
		return nil
	}
	const shown = 10
	for i, e := range edits {
		if i == shown {
			_, _ = fmt.Fprintf(j.Err, "and %d more\n", len(edits)-shown)
			break
		}
		_, _ = fmt.Fprintf(j.Err, "changed though it was not marked: %s\n", e.At)
	}
	if j.ask(fmt.Sprintf("take %d changed cells that were not marked?", len(edits))) {
		return nil
	}
	return usage("put them back, or run the same command with --yes to take them", "%d cells were changed that were not marked; nothing was sent", len(edits))
}

// takeAnswers settles the trips that a person has looked for, as the column
// "What we found" says. An answer is about the attempt that the results show:
// one made since by another run has to be looked for anew.
func (j *job) takeAnswers(ctx context.Context, back *returned.Results) error {
	answers := back.Answers()
	if len(answers) == 0 {
		return nil
	}
	open, err := j.venue.ledger.Unresolved(ctx)
	if err != nil {
		return err
	}
	shown, err := j.venue.ledger.Run(ctx, back.Run())
	if err != nil {
		return err
	}
	wanted := map[stand]bool{}
	for _, a := range answers {
		wanted[stand{a.Input, a.Row, a.Leg}] = true
	}
	seen, err := see(j.inputs, wanted)
	if err != nil {
		return err
	}
	for _, a := range answers {
		if err := j.takeAnswer(ctx, a, open, seen, shown); err != nil {
			return err
		}
	}
	return nil
}

// takeAnswer settles the open trip that an answer is about, if there is one.
func (j *job) takeAnswer(ctx context.Context, a returned.Answer, open []ledger.Entry, seen sightings, shown ledger.Run) error {
	if a.Verdict == returned.Unclear {
		j.notice("%s does not say clearly whether the trip is there; write its GUID, there, or not there", a.At)
		return nil
	}
	for _, e := range open {
		if e.Input != a.Input || e.Row != a.Row || e.Leg != a.Leg {
			continue
		}
		if _, same := seen.of(e); !same {
			continue
		}
		sent, err := j.venue.ledger.Run(ctx, e.Run)
		if err != nil {
			return err
		}
		if sent.Started.After(shown.Started) {
			j.notice("%s: trip %s was sent again after these results were written: look for it anew, and answer in the newer results", a.At, e.TripID)
			continue
		}
		if err := j.take(ctx, e, a); err != nil {
			return err
		}
	}
	return nil
}

// take settles one trip by its answer.
func (j *job) take(ctx context.Context, e ledger.Entry, a returned.Answer) error {
	said, err := j.resolve(ctx, j.venue.ledger, e, verdictOf(a.Verdict), a.GUID)
	if said != "" {
		j.notice("%s: trip %s: %s", a.At, e.TripID, said)
	}
	return err
}
