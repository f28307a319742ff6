package nightly

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tripimport/importer"
)

// Status returns lines that say how the last nights went, what is open and what is due next.
func (n *Night) Status(ctx context.Context) ([]string, error) {
	w := &wake{Night: n, now: n.Clock.Now()}
	if err := w.load(ctx); err != nil {
		return nil, err
	}
	var lines []string
	started, next := n.Config.due(w.now)
	for _, d := range started {
		lines = append(lines, w.slotLines(&d)...)
	}
	if len(lines) == 0 {
		lines = []string{"no slot was due in the last days"}
	}
	if len(next) > 0 {
		lines = append(lines, "next: "+n.local(next[0].start)+", "+next[0].Do+" for "+next[0].spokenDays())
	}
	if untold := len(w.untold()); untold > 0 && n.Mail != nil {
		lines = append(lines, importer.Counted(untold, "message is", "messages are")+" not mailed yet, and each run of the nights tries again; "+n.advice("try the mail server", importer.SendTestMail))
	}
	return lines, nil
}

// local formats an instant in the office's time zone.
func (n *Night) local(at time.Time) string { return importer.SpokenAt(at.In(n.Config.Zone)) }

// slotLines returns lines about a slot. It returns none if the slot ended without having begun.
func (w *wake) slotLines(d *dueSlot) []string {
	begun, finished := w.events.lastOf(d.id, "", kindBegun) != nil, w.events.lastOf(d.id, "", kindFinished) != nil
	how := "not begun"
	switch {
	case !begun && !finished && !w.now.Before(d.end):
		return nil
	case finished:
		how = "finished"
	case begun:
		how = "goes on until " + w.local(d.end)
	}
	lines := []string{fmt.Sprintf("%s, %s for %s: %s", w.local(d.start), d.Do, d.spokenDays(), how)}
	told := map[string]bool{}
	for _, e := range w.events {
		if e.Slot == d.id && e.Text != "" {
			told[e.Broker] = true
			lines = append(lines, "    "+headed(e.Broker, strings.TrimSuffix(e.Text+"; "+e.Fix, "; ")))
		}
	}
	for _, b := range w.Config.Brokers {
		if d.main() && !told[b.Name] {
			lines = append(lines, "    "+headed(b.Name, "no schedule was taken yet"))
		}
	}
	return lines
}
