package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"tripimport/importer/results/atomicfile"
	"tripimport/mapping"
	"tripimport/mapping/propose"
)

// A Draft is the mapping of a work as far as a person has come with it: a new one, or the one that its
// file is read with, while nobody has approved that.
type Draft struct {
	Work Work
	// Given is the mapping that the file is read with; empty for a new one. Approved is what was approved of it
	// before it was changed, or of a similar one; nil for nothing.
	Given    string
	Approved *Approval
	// Proposal is what the file itself shows.
	Proposal Proposal
	// Answered are the questions that were answered, in order; Open are the others.
	Answered []Answered
	Open     []propose.Question
	// Guesses are what the draft takes from columns as they are; an answer to one changes it.
	Guesses []propose.Guess
	// Headers are the names of all columns.
	Headers []string
	// Sample shows the trips that the draft makes, and Why says why there are none.
	Sample Sample
	Why    error
	// Seen identifies what is shown, for the approval.
	Seen string

	text, path string
	mapping    *mapping.Mapping // nil for a text that is none yet
}

// ShownTrips is how many trips a person sees before they approve a mapping.
const ShownTrips = 10

// Answered is a person's answer to a question of a draft.
type Answered struct{ Ask, Typed string }

// Draft returns the draft of a work's mapping, with its open questions.
func (j *Jobs) Draft(ctx context.Context, id string) (Draft, error) {
	_, d, err := j.openDraft(ctx, id, "")
	return d, err
}

// openDraft returns an App for one call, and the draft of a work's mapping.
func (j *Jobs) openDraft(ctx context.Context, id, by string) (*App, Draft, error) {
	a, w, err := j.openWork(id, by)
	if err != nil {
		return nil, Draft{}, err
	}
	d, err := a.draft(ctx, w)
	return a, d, err
}

func (a *App) draft(ctx context.Context, w Work) (d Draft, err error) {
	d.Work = w
	if given, err := a.givenDraft(ctx, w); err == nil && given.Given != "" {
		return given, nil
	}
	if d.Proposal, err = a.ProposeMapping(w.path()); err != nil {
		return d, err
	}
	d.text = d.Proposal.Text
	for _, g := range w.Answers {
		if text, again := d.with(g); again == "" {
			d.text, d.Answered = text, append(d.Answered, g)
		}
	}
	d.Open, d.Guesses = d.Proposal.Open(d.text), d.Proposal.Guesses(d.text)
	d.Headers = d.Proposal.Headers()
	d.path = a.newMappingPath(w.path())
	d.mapping, d.Why = parseMapping(d.path, []byte(d.text))
	if d.Why == nil {
		d.Sample, d.Why = a.SampleTrips(ctx, d.mapping, nil, w.path(), ShownTrips)
	}
	sum := sha256.Sum256([]byte(d.text))
	d.Seen = hex.EncodeToString(sum[:16])
	return d, nil
}

// givenDraft returns the mapping that a work's file is read with as a draft, if it is not approved.
func (a *App) givenDraft(ctx context.Context, w Work) (d Draft, err error) {
	d.Work = w
	if d.mapping, err = a.choose(w.path()); err != nil {
		return d, err
	}
	if d.Approved, err = a.Approval(ctx, d.mapping); err != nil || a.isApproved(d.mapping, d.Approved) {
		return d, err
	}
	d.Given, d.Seen = filepath.Base(d.mapping.File()), d.mapping.Meaning()
	d.Sample, d.Why = a.SampleTrips(ctx, d.mapping, d.Approved, w.path(), ShownTrips)
	return d, nil
}

// with returns the text of the draft with one more answer, or why it is none.
func (d *Draft) with(g Answered) (text, again string) {
	questions := d.Proposal.Open(d.text)
	for _, guess := range d.Proposal.Guesses(d.text) {
		questions = append(questions, guess.Question)
	}
	i := slices.IndexFunc(questions, func(q propose.Question) bool { return q.Ask == g.Ask })
	if i < 0 {
		return d.text, "this question was answered in another window"
	}
	return d.Proposal.Answer(d.text, &questions[i], g.Typed)
}

// newMappingPath returns a new file for the mapping of a schedule, in the office's folder of mappings.
func (a *App) newMappingPath(schedule string) string {
	_, name := propose.PatternOf(schedule)
	return atomicfile.FreeName(filepath.Join(cmp.Or(a.Settings.Text("mappings"), a.Folders.Config), name+".yaml"))
}

// Decide answers a question of a work's draft. It is an *Error if the answer is none.
func (j *Jobs) Decide(ctx context.Context, id string, g Answered) error {
	return j.changeAnswers(ctx, id, func(d *Draft) ([]Answered, error) {
		if _, again := d.with(g); again != "" {
			return nil, Usage("answer it in another way", "%s", again)
		}
		return append(d.Answered, g), nil
	})
}

// TakeBack takes back the last answer about a work's draft, of which the person saw so many.
func (j *Jobs) TakeBack(ctx context.Context, id string, seen int) error {
	return j.changeAnswers(ctx, id, func(d *Draft) ([]Answered, error) {
		if seen < 1 || len(d.Answered) != seen {
			return nil, ErrOtherDraft
		}
		return d.Answered[:seen-1], nil
	})
}

func (j *Jobs) changeAnswers(ctx context.Context, id string, change func(*Draft) ([]Answered, error)) error {
	j.fixing.Lock()
	defer j.fixing.Unlock()

	d, err := j.Draft(ctx, id)
	if err != nil {
		return err
	}
	answers, err := change(&d)
	if err != nil {
		return err
	}
	return j.keep(d.Work, func(k *Kept) { k.Answers = answers })
}

// An Approving is what a person decided who looked at a draft.
type Approving struct {
	// Seen is Draft.Seen of what they looked at.
	Seen string
	Settled

	By string
}

// ErrOtherDraft is the error of an approval of what was changed meanwhile.
var ErrOtherDraft = Usage("look at its trips again", "the draft was changed in another window")

// Approve approves a work's draft; a new one becomes one of the office's mappings.
func (j *Jobs) Approve(ctx context.Context, id string, yes Approving) error {
	j.fixing.Lock()
	defer j.fixing.Unlock()

	a, d, err := j.openDraft(ctx, id, yes.By)
	if err != nil {
		return err
	}
	switch {
	case d.Seen != yes.Seen:
		return ErrOtherDraft
	case len(d.Open) > 0:
		return Usage("answer each question", "a question is open")
	case d.Why != nil:
		return d.Why
	}
	j.last.Store(nil)
	if d.Given != "" {
		return a.ApproveMapping(ctx, d.mapping, d.Approved, d.Sample, yes.Settled)
	}
	if err := writePrivate(d.path, []byte(d.text)); err != nil {
		return err
	}
	if err := a.ApproveMapping(ctx, d.mapping, nil, d.Sample, yes.Settled); err != nil {
		return errors.Join(err, os.Remove(d.path))
	}
	return nil
}
