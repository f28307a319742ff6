package nightly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly/mail"
)

// The signals for the monitor.
const (
	pingStart   = "start"
	pingSuccess = "success"
	pingFail    = "fail"
)

// newAlarm returns an alarm about a slot, or about a broker in the slot. An alarm is noted, and
// people are told of it, only once for each what.
func newAlarm(d *dueSlot, broker, what, text, fix string) event {
	return event{Slot: d.id, Broker: broker, Kind: kindAlarm, What: what, Text: text, Fix: fix}
}

// alarmOf returns an alarm that an error tells of. Its text begins with about, which may be empty.
func (w *wake) alarmOf(d *dueSlot, broker, what, about string, err error) event {
	reason, fix := w.explain(err)
	return newAlarm(d, broker, what, about+reason, fix)
}

// tell sends what was not sent yet, to the monitor, and in one mail to the office's people. If
// the wake is killed before, the next wake sends it; if it is killed between the mail and its
// note in the ledger, the mail is sent twice.
func (w *wake) tell(ctx context.Context) error {
	if err := w.pings(ctx); err != nil {
		return err
	}
	pending := w.untold()
	if len(pending) == 0 || w.Mail == nil {
		return nil
	}

	if !w.send(ctx, w.compose(pending), w.now.Sub(pending[len(pending)-1].At) < retryAfter) {
		return ctx.Err()
	}
	return w.note(ctx, event{Slot: pending[0].Slot, Kind: kindTold, Keys: importer.Each(pending, func(e event) string { return e.key() })})
}

// send sends a mail and reports whether somebody got it. Otherwise the next wake sends it
// again. The failure is printed only for a fresh mail, because the scheduler may mail what is
// printed at each wake.
func (w *wake) send(ctx context.Context, m mail.Message, fresh bool) bool {
	missed, err := w.Mail.Send(ctx, m)
	for _, who := range missed {
		w.Print("a mail did not reach " + who)
	}
	if err != nil && fresh {
		w.Print(err.Error() + "; it is sent again at the next wake")
	}
	return err == nil
}

// untold returns the alarms and summaries of which people were not told yet, unless they are
// too old to matter.
func (w *wake) untold() []event {
	told := w.events.keys(kindTold)
	return slices.DeleteFunc(slices.Clone(w.events), func(e event) bool {
		return e.Kind != kindAlarm && e.Kind != kindSummary || told[e.key()] || w.now.Sub(e.At) >= tellWithin
	})
}

// pings sends the monitor the signals that were not sent yet. If the monitor can't be reached,
// the next wake tries again.
func (w *wake) pings(ctx context.Context) error {
	if w.Ping == nil {
		return nil
	}
	told := w.events.keys(kindTold)
	var fresh []event
	for _, e := range w.events {
		if e.Signal == "" || w.now.Sub(e.At) >= tellWithin || told[e.signalKey()] {
			continue
		}
		if err := w.Ping(ctx, e.Signal, nightID(e.Slot)); err != nil {
			if w.now.Sub(e.At) < retryAfter {
				w.Print(err.Error() + "; it is tried again at the next wake")
			}
			break
		}
		told[e.signalKey()] = true
		fresh = append(fresh, event{Slot: e.Slot, Kind: kindTold, Keys: []string{e.signalKey()}})
	}
	return w.note(ctx, fresh...)
}

// trouble is the word for what is wrong and is no trip.
const trouble = "TROUBLE"

// compose writes the mail. The subject alone says what a person has to know on a phone: ACT for
// trips on which somebody has to act, trouble for anything else that is wrong.
func (w *wake) compose(pending []event) mail.Message {
	var headline, act, wrong, also []string
	acts, before, first := 0, "", ""
	for i := range pending {
		e := &pending[i]
		act, also = append(act, e.Acts...), append(also, e.Also...)
		acts, before = acts+len(e.Acts)+max(0, e.Unsent-1), earlier(before, e.Before)
		switch {
		case e.Kind == kindSummary:
			list := fmt.Sprintf("list %d", e.List)
			if least, most, known := w.events.usualList(e.At); known && most > 0 {
				list += fmt.Sprintf(" (usual %d–%d)", least, most)
			}
			headline = []string{list, importer.Counted(e.Booked, "booked", "booked")}
		case e.Unsent == 0:
			said := headed(e.Broker, e.Text)
			first = cmp.Or(first, said)
			if e.Fix != "" {
				said += "\n  what to do: " + e.Fix
			}
			wrong = append(wrong, said)
		}
	}
	if acts > 0 {
		headline = slices.Insert(headline, 0, strings.TrimSuffix(fmt.Sprintf("ACT %d before %s", acts, w.spoken(before)), " before "))
	}
	if len(wrong) > 0 {
		headline = append(headline, strings.TrimSuffix(fmt.Sprintf("%s %s (and %d more)", trouble, first, len(wrong)-1), " (and 0 more)"))
	}
	subject := strings.Join(headline, " · ")
	lines := []string{subject}
	for _, part := range []struct {
		title string
		lines []string
	}{{"ACT, each before its time:", act}, {trouble + ":", wrong}, {"Good to know:", also}} {
		if len(part.lines) > 0 {
			lines = append(append(lines, "", part.title), part.lines...)
		}
	}
	slot := strings.Replace(strings.Fields(pending[len(pending)-1].Slot)[0], "T", " ", 1)
	return mail.Message{Subject: subject, Text: strings.Join(append(lines, "", "slot of "+slot+", times of "+w.Config.Zone.String()), "\n") + "\n"}
}

// spoken returns a time for people: that of the day within the next 24 hours, otherwise with the day.
func (w *wake) spoken(at string) string {
	when, err := time.ParseInLocation("2006-01-02 15:04", at, w.Config.Zone)
	switch in := when.Sub(w.now); {
	case err != nil:
		return ""
	case in < 24*time.Hour:
		return when.Format("15:04")
	}
	return importer.SpokenAt(when)
}

// guardLedger returns the error of a wake, after telling people of it. The ledger can't record
// that they were told, because it may be the ledger that can't be used; a file beside it does.
// A ledger that another run holds is not reported until patience is over.
func (w *wake) guardLedger(ctx context.Context, err error) error {
	path := troublePath(w.App)
	if err == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return app.Usage("see that this user may write there", "the file %s can't be removed", path)
		}
		return nil
	}
	reason, fix := w.explain(err)
	t, _ := app.ReadJSON[troubleRecord](path) // zero if there was none
	t.Since = cmp.Or(t.Since, w.now)
	waits := app.StatusOf(err) == app.Locked && w.now.Sub(t.Since) < patience
	if !waits && t.Told != reason && w.tellTrouble(ctx, t.Since, reason, fix) {
		t.Told = reason
	}
	if writeErr := app.WriteJSON(path, t); writeErr != nil || waits {
		return writeErr
	}
	return err
}

// A troubleRecord records since when the ledger can't be used, and of which reason people were told.
type troubleRecord struct {
	Since time.Time `json:"since"`
	Told  string    `json:"told"`
}

func troublePath(a *app.App) string { return filepath.Join(a.Folders.Data, "nightly-trouble.json") }

// tellTrouble tells people and the monitor of an error that the ledger can't record. It reports
// whether somebody was told.
func (w *wake) tellTrouble(ctx context.Context, since time.Time, reason, fix string) bool {
	pinged := w.Ping == nil || w.Ping(ctx, pingFail, nightID(since.UTC().Format(time.RFC3339))) == nil
	if w.Mail == nil {
		return pinged
	}
	return w.send(ctx, mail.Message{Subject: trouble + " " + reason, Text: trouble + ": " + reason + "\n  what to do: " + fix + "\n"}, w.now.Sub(since) < retryAfter)
}
