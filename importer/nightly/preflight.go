package nightly

import (
	"context"

	"tripimport/importer"
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
func (n *Night) Preflight(ctx context.Context) []Line {
	a := n.App
	access, err := a.Access(ctx)
	lines := []Line{n.lineOf("token", "accepted, for "+importer.Counted(len(access.Providers), "provider", "providers"), err)}
	whose := map[bool]string{false: "this machine's own, and the newest", true: "shared with other machines, and the newest"}[a.IsShared()]
	lines = append(lines, n.lineOf("ledger", whose, a.TryLedger()),
		n.lineOf("results", n.Config.Results, a.TryFolder(n.Config.Results)))
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
		lines = append(lines, n.lineOf("inbox of "+b.Name, b.Inbox+", from which files can be moved to "+n.Config.Done, n.Config.tryMove(b)))
		if b.Mapping != "" {
			lines = append(lines, n.lineOf("mapping of "+b.Name, b.Mapping, a.TryMapping(ctx, b.Mapping)))
		}
	}
	switch {
	case n.Mail != nil:
		return append(lines, n.lineOf("mail", "the server answers", n.Mail.Try(ctx)))
	case n.Ping != nil:
		return append(lines, Line{What: "mail", Text: "no mail: only the monitor that ping names is told"})
	}
	return append(lines, Line{What: "mail", Text: "no mail: nobody is told how a night went", Fix: "add mail, or ping, to the block nightly in the settings"})
}

// lineOf returns the line for something that was tried: text if it works, and otherwise the
// error with its advice.
func (n *Night) lineOf(what, text string, err error) Line {
	if err == nil {
		return Line{What: what, Text: text}
	}
	reason, fix := n.explain(err)
	return Line{What: what, Text: reason, Fix: fix, Wrong: true}
}
