package main

import (
	"errors"
	"strings"

	"tripimport/importer/app"
)

// agreed plans a job, has a person agree to what the plan asks, and runs it. Where nobody is at
// the terminal and no yes was given, the job runs by itself: every question is answered with no.
func (r *reporter) agreed(job func(app.Options) error) error {
	o := r.flags.Options
	o.Attended, o.Abandon = isTerminal(r.In), r.Abandon
	for o.Attended || r.flags.yes {
		planned := o
		planned.Planning = &app.Plan{}
		if err := job(planned); err != nil {
			return err
		}
		agreed := o
		agreed.Plan, agreed.Agreed = planned.Planning.ID, r.agree(planned.Planning.Asks)
		if err := job(agreed); !errors.Is(err, app.ErrStale) {
			return err
		}
		r.Notice("something has changed since the plan was made: this is the new one")
	}
	return job(o)
}

// agree puts the questions of a plan, and returns the IDs of those that were answered with yes. A
// yes on the command line answers all but those that somebody has to look at.
func (r *reporter) agree(asks []app.Ask) (agreed []string) {
	return app.AgreedTo(asks, func(a *app.Ask) bool {
		text := strings.Join(append([]string{a.Text}, a.Items...), "\n    ")
		if a.Question != "" {
			text += "\n    " + a.Question
		}
		return r.flags.yes && !a.Look || r.ask(text)
	})
}
