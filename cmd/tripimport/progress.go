package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"tripimport/importer"
)

// progress shows how far a run has come: a bar on a terminal, else a line of
// the log a minute. It is called from the reporter alone.
type progress struct {
	bar   *progressbar.ProgressBar
	say   func(done, total int)
	total int
	done  int
	said  time.Time
}

// newProgress decides how progress is shown.
func (j *job) newProgress(total int) *progress {
	p := &progress{total: total, said: time.Now(), say: func(int, int) {}}
	switch {
	case j.opts.quiet || j.opts.noProgress:
	case isTerminal(j.Err):
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(j.Err),
			progressbar.OptionSetDescription("trips"),
			progressbar.OptionSetWidth(24),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString("trips"),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(200*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	default:
		p.say = func(done, total int) { j.log.Info(fmt.Sprintf("%d of %d trips done", done, total)) }
	}
	return p
}

// add counts a row's trips.
func (p *progress) add(r importer.RowResult) {
	p.done += len(r.Trips)
	if p.bar != nil {
		_ = p.bar.Set(min(p.done, p.total)) // a terminal that is gone is no reason to stop
		return
	}
	if now := time.Now(); now.Sub(p.said) >= time.Minute {
		p.said = now
		p.say(p.done, p.total)
	}
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
