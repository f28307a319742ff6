package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows how many trips are done: with a bar on a terminal that is wide enough,
// otherwise with a line in the log each minute. It is not safe for concurrent use.
type progress struct {
	bar   *progressbar.ProgressBar
	out   io.Writer // where the bar is shown
	log   *slog.Logger
	total int
	done  int
	// logged is when the last line was logged.
	logged time.Time
}

// barWidth is how wide a terminal must be to show the bar, because a bar that wraps to a second
// line can't be cleared. With a million trips and hours to go the bar has 79 characters.
const barWidth = 80

// newProgress returns the progress of a run with total trips.
func (r *reporter) newProgress(total int) *progress {
	p := &progress{total: total, logged: time.Now(), log: r.Log}
	if widthOf(r.Err) >= barWidth {
		p.out = below(r.Err)
		p.bar = newBar(p.out, total)
	}
	return p
}

// newBar returns the bar of a run with total trips.
func newBar(out io.Writer, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription("trips"),
		progressbar.OptionSetWidth(14),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("trips"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(200*time.Millisecond),
	)
}

// add counts trips that have got their outcome.
func (p *progress) add(trips int) {
	p.done += trips
	if p.bar != nil {
		_ = p.bar.Set(min(p.done, p.total)) // a closed terminal is no reason to stop
		return
	}
	if now := time.Now(); now.Sub(p.logged) >= time.Minute {
		p.logged = now
		p.log.Info(fmt.Sprintf("%d of %d trips done", p.done, p.total))
	}
}

// clear removes the bar until its next update, so that a text can be printed. p may be nil, as
// it is before the first row.
func (p *progress) clear() {
	if p != nil && p.bar != nil {
		_ = p.bar.Clear()
		// On Windows the bar's package leaves the bar there, and only moves the cursor to the beginning of the line.
		_, _ = fmt.Fprintf(p.out, "\r%s\r", strings.Repeat(" ", barWidth-1))
	}
}
