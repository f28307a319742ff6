package nightly

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
)

// A Line describes one thing that a night needs. Fix says what to do; it may be set even if
// nothing is wrong.
type Line struct {
	What, Text, Fix string
	// Wrong reports that the night would fail, or that nobody would be told how it went.
	Wrong bool
}

// Preflight tries what a night needs, at a time when somebody is there to fix it. It sends
// nothing to the service but the access operation.
func (n *Night) Preflight(ctx context.Context, a *app.App) []Line {
	lines := []Line{n.tokenLine(ctx, a)}
	whose := "this machine's own, and the newest"
	if a.IsShared() {
		whose = "shared with other machines, and the newest"
	}
	lines = append(lines, n.lineOf("ledger", whose, a.TryLedger()))
	folders := map[string]string{"results": n.Config.Results, "done": n.Config.Done}
	for _, name := range []string{"results", "done"} {
		lines = append(lines, n.lineOf(name, folders[name], a.TryFolder(folders[name])))
	}
	switch {
	case a.IsShared():
		lines = append(lines, Line{What: "backup", Text: "the ledger's server has to be backed up by its administrator"})
	case n.Config.Backup == "":
		lines = append(lines, Line{What: "backup", Text: "none is made off this machine", Fix: "set backup: to a folder on another one"})
	default:
		lines = append(lines, n.lineOf("backup", n.Config.Backup, a.TryFolder(n.Config.Backup)))
	}
	for i := range n.Config.Brokers {
		b := &n.Config.Brokers[i]
		lines = append(lines, n.lineOf("inbox of "+b.Name, b.Inbox, tryInbox(b)))
		if b.Mapping != "" {
			lines = append(lines, n.lineOf("mapping of "+b.Name, b.Mapping, a.TryMapping(ctx, b.Mapping)))
		}
	}
	return append(lines, n.mailLine(ctx))
}

// mailLine tries the mail server.
func (n *Night) mailLine(ctx context.Context) Line {
	if n.Mail == nil {
		if n.Ping != nil {
			return Line{What: "mail", Text: "no mail: only the monitor that ping names is told"}
		}
		return Line{What: "mail", Text: "no mail: nobody is told how a night went", Fix: "add mail, or ping, to the block nightly in the settings"}
	}
	var password *app.Error
	switch err := n.Mail.Try(ctx); {
	case errors.As(err, &password):
		return n.lineOf("mail", "", err)
	case err != nil:
		return Line{What: "mail", Text: err.Error(), Fix: "correct mail in the settings, then " + n.advice("try it", importer.SendTestMail), Wrong: true}
	}
	return Line{What: "mail", Text: "the server answers"}
}

// lineOf returns the line for something that was tried: text if it works, and otherwise the
// error with its advice.
func (n *Night) lineOf(what, text string, err error) Line {
	if err == nil {
		return Line{What: what, Text: text}
	}
	reason, fix := explain(err, n.Spell)
	return Line{What: what, Text: reason, Fix: fix, Wrong: true}
}

// tryInbox refuses an inbox from which files can't be taken.
func tryInbox(b *Broker) error {
	_, err := inbox(b)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(b.Inbox, ".tripimport-*.tmp")
	if err != nil {
		return app.Usage("give this user the right to write there", "files can't be taken out of the inbox %s", b.Inbox)
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// tokenLine asks the service for access, and compares the age of the token with how long
// earlier tokens lived.
func (n *Night) tokenLine(ctx context.Context, a *app.App) Line {
	access, err := a.Access(ctx)
	l := n.lineOf("token", fmt.Sprintf("accepted, for %s", importer.Counted(len(access.Providers), "provider", "providers")), err)
	if err != nil {
		return l
	}
	mark, err := a.TokenMark(ctx)
	noted, eventsErr := a.SlotEvents(ctx, n.Clock.Now().Add(-remembered))
	if err != nil || eventsErr != nil {
		return l // the line of the ledger says why
	}
	since, shortest := newJournal(noted).tokens(mark)
	if since.IsZero() {
		return l
	}
	age := n.Clock.Now().Sub(since)
	l.Text += ", in use for " + spokenAge(age)
	if shortest > 0 {
		l.Text += "; the shortest-lived one before it was refused after " + spokenAge(shortest)
		if age+24*time.Hour > shortest {
			l.Wrong, l.Fix = true, "before the night "+a.NewToken().Say(n.Spell)
		}
	}
	return l
}

func spokenAge(d time.Duration) string {
	switch {
	case d < time.Hour:
		return "less than an hour"
	case d < 48*time.Hour:
		return importer.Counted(int(d.Hours()), "hour", "hours")
	}
	return importer.Counted(int(d.Hours()/24), "day", "days")
}

// tokens returns since when the token with that mark is in use, and the shortest time after
// which an earlier token was refused. Either is zero if it is not known.
func (j journal) tokens(mark string) (since time.Time, shortest time.Duration) {
	first := map[string]time.Time{}
	for i := range j {
		e := &j[i]
		begun, known := first[e.Token]
		switch {
		case e.Token == "":
		case e.Kind == kindBegun && !known:
			first[e.Token] = e.At
		case e.What == tokenRefused && known && (shortest == 0 || e.At.Sub(begun) < shortest):
			shortest = e.At.Sub(begun)
		}
	}
	return first[mark], shortest
}
