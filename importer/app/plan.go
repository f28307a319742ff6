package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A Plan says what a run would do, and what a person has to agree to before it. It holds nothing
// open: the run that follows reads everything again, and refuses to begin if it would do anything
// else than the plan says.
type Plan struct {
	// ID identifies what the plan says, whether or not the schedule is the newest. A run with
	// Options.Plan does just that.
	ID string
	// Start says what the file holds.
	Start Start
	// Asks are the questions, in the order in which they are to be put.
	Asks []Ask
}

// An Ask is a question that only a person may answer with yes. It may show rider ids, so it must
// be shown to a person alone and never be written to a log.
type Ask struct {
	// ID identifies the question and what it is about: an agreement to it is none to any other.
	ID string
	// Text says in a sentence what there is to agree to, Items are what it is about, or
	// examples of it, and Question is what is asked about them; empty if Text asks it.
	Text     string
	Items    []string
	Question string
	// Look reports that only somebody who has looked at the Items may answer: a yes to
	// everything is none to this.
	Look bool
	// Newest reports that it asks whether the schedule is the newest. OfNewest reports that it is not
	// to be put after a no to that.
	Newest, OfNewest bool
}

// AgreedTo returns the IDs of the questions that a person answers with yes. Whoever says that a schedule is not the
// newest is not asked about its changes.
func AgreedTo(asks []Ask, yes func(*Ask) bool) (agreed []string) {
	older := false
	for i := range asks {
		switch a := &asks[i]; {
		case older && a.OfNewest:
		case yes(a):
			agreed = append(agreed, a.ID)
		default:
			older = older || a.Newest
		}
	}
	return agreed
}

// agrees reports whether a person agreed to what is asked. A plan notes the question, and goes on
// as if the answer were yes.
func (j *job) agrees(a Ask) bool {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{a.Text, a.Question}, a.Items...), "\x00")))
	a.ID = hex.EncodeToString(sum[:16])
	j.asked = append(j.asked, a.ID)
	if j.opts.Planning != nil {
		j.opts.Planning.Asks = append(j.opts.Planning.Asks, a)
		return true
	}
	return slices.Contains(j.opts.Agreed, a.ID)
}

// planID identifies what the job would do: with which file, under which mapping, how many trips,
// and what it asks.
func (j *job) planID() string {
	h := sha256.New()
	_, _ = fmt.Fprintln(h, j.command, j.opts.Rehearsal, j.opts.ForDay, j.opts.Limit, j.today, j.mapping.Meaning())
	_, _ = fmt.Fprintln(h, j.input.Source.Hash(), j.opts.Fixes, j.plan.PlanSummary, j.asked)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// isPlanned reports whether the job was only to be planned, and is.
func (j *job) isPlanned() bool { return j.opts.Planning != nil && j.opts.Planning.ID != "" }

// keepToPlan refuses to begin a run that would do anything else than the plan to which a person
// agreed.
func (j *job) keepToPlan(context.Context) error {
	switch id := j.planID(); {
	case j.opts.Planning != nil:
		j.opts.Planning.ID, j.opts.Planning.Start = strings.TrimSpace(id+" "+j.declined), j.describeStart()
	case j.opts.Plan != "" && !slices.Contains(strings.Fields(j.opts.Plan), id):
		return ErrStale
	}
	return nil
}

// ErrStale is the error of a run that would do something else than the plan to which a person
// agreed, because a file, the mapping or the ledger has changed since. Nothing was sent.
var ErrStale = Usage("look at the new plan", "something has changed since the plan was made; nothing was sent")
