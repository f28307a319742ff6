package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

func newResolve(w world) *cobra.Command {
	var o struct{ from, export string }
	cmd := &cobra.Command{
		Use:   "resolve",
		Short: "say of trips that may be booked whether they are",
		Example: `  tripimport resolve                        asks about each at the terminal
  tripimport resolve --export open.csv      writes them to a file to fill in
  tripimport resolve --from open.csv        takes it back`,
		Long: `Some answers of the service get lost: such a trip may be booked, and is never sent
again by itself. Look for it in the dispatch system, then say: it is there (with
its GUID, if you can see it), or it is not there. "Not there" lets the next run
send it: if that is wrong, two cars come. It is taken 15 minutes after the sending
at the earliest.

exit: 0 nothing is open any more; 4 some trips still are`,
		Args: args(cobra.NoArgs, "resolve takes no file but with --from or --export"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			l, err := a.openLedger("resolve", 0)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.Close()) }()
			r := &resolver{app: a, ledger: l}
			if err := r.load(cmd.Context()); err != nil {
				return err
			}
			switch {
			case o.export != "":
				return r.export(o.export)
			case o.from != "":
				return r.takeFile(cmd.Context(), o.from)
			}
			return r.askAll(cmd.Context())
		},
	}
	addSettings(cmd, "ledger")
	flags := cmd.Flags()
	flags.StringVar(&o.export, "export", "", "write the open trips to a CSV file, to be filled in")
	flags.StringVar(&o.from, "from", "", "take a file back that --export wrote")
	cmd.MarkFlagsMutuallyExclusive("export", "from")
	return cmd
}

// A resolver asks people about trips that may be booked.
type resolver struct {
	*app
	ledger *ledger.Ledger
	open   []ledger.Entry
}

// load finds the open trips.
func (r *resolver) load(ctx context.Context) (err error) {
	r.open, err = r.ledger.Unresolved(ctx)
	return err
}

// askAll shows one card a trip and takes the answers.
func (r *resolver) askAll(ctx context.Context) error {
	if len(r.open) == 0 {
		_, err := fmt.Fprintln(r.Out, "no trip is open: what was sent is known to be booked or not")
		return err
	}
	if !isTerminal(r.In) {
		return usage("write them to a file with --export, fill it in, and give it back with --from", "%d trips are open, and nobody is at the terminal", len(r.open))
	}
	in := bufio.NewReader(r.In)
	left := 0
	for i, e := range r.open {
		_, _ = fmt.Fprintf(r.Out, "\n%d of %d\n%s", i+1, len(r.open), r.card(e))
		verdict, guid, err := r.ask(in)
		if err != nil {
			return err
		}
		said, err := r.resolve(ctx, r.ledger, e, verdict, guid)
		if err != nil {
			return err
		}
		if said != "" {
			_, _ = fmt.Fprintln(r.Out, said)
		}
		if verdict == ledger.Later || said != "" {
			left++
		}
	}
	return r.rest(left)
}

// rest ends the command by how many trips are still open.
func (r *resolver) rest(left int) error {
	if left > 0 {
		return &complaint{exitLook, fmt.Sprintf("%d trips are still open", left), "look for them in the dispatch system, then run `tripimport resolve` again"}
	}
	_, err := fmt.Fprintln(r.Out, "no trip is open any more; `tripimport retry` or `import` sends those that were not there")
	return err
}

// card says what a person needs to look for a trip.
func (r *resolver) card(e ledger.Entry) string {
	var b strings.Builder
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-10s %s\n", name, results.Inert(value))
		}
	}
	leg := e.Leg.String()
	row("trip", strings.TrimSpace(e.TripID+" "+leg))
	row("date", spoken(e.Date))
	row("provider", e.Account.Provider)
	row("sent", e.ClaimedAt.Local().Format("2006-01-02 15:04:05"))
	row("came back", cameBack(e))
	return b.String()
}

func cameBack(e ledger.Entry) string {
	switch {
	case e.GUIDMissing:
		return "it is booked, but its GUID did not come"
	case e.Code == "":
		return "nothing: the run was broken off"
	}
	return e.Code
}

// ask takes one answer.
func (r *resolver) ask(in *bufio.Reader) (ledger.Verdict, string, error) {
	for {
		_, _ = fmt.Fprint(r.Out, "  in the dispatch system?  y (or its GUID) / n / later: ")
		line, err := in.ReadString('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				return ledger.Later, "", nil
			}
			return ledger.Later, "", usage("", "the answer can't be read from the terminal")
		}
		switch answer := strings.TrimSpace(line); strings.ToLower(answer) {
		case "", "l", "later":
			return ledger.Later, "", nil
		case "y", "yes", "there":
			_, _ = fmt.Fprint(r.Out, "  its GUID, if you can see it: ")
			guid, err := in.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				return ledger.Later, "", usage("", "the answer can't be read from the terminal")
			}
			return ledger.There, strings.TrimSpace(guid), nil
		case "n", "no", "not there":
			_, _ = fmt.Fprint(r.Out, "  it will be sent again; if it is there after all, two cars come. sure? (yes/no): ")
			sure, err := in.ReadString('\n')
			if err == nil && strings.TrimSpace(strings.ToLower(sure)) == "yes" {
				return ledger.NotThere, "", nil
			}
		default:
			if looksLikeGUID(answer) {
				return ledger.There, answer, nil
			}
		}
	}
}

// looksLikeGUID tells a GUID from a slip of the keyboard.
func looksLikeGUID(s string) bool {
	return len(s) >= 32 && strings.Trim(strings.ToLower(s), "0123456789abcdef-{}") == ""
}

// resolve records a person's word. What can't be taken is said in words, and is
// no error.
func (a *app) resolve(ctx context.Context, l *ledger.Ledger, e ledger.Entry, v ledger.Verdict, guid string) (string, error) {
	who, _ := whoami()
	err := l.Resolve(ctx, ledger.Resolution{Attempt: e.Attempt, Verdict: v, GUID: guid, Who: who, When: time.Now()})
	var early *ledger.TooSoonError
	var fault *ledger.Fault
	switch {
	case errors.As(err, &early):
		return early.Error(), nil
	case errors.Is(err, importer.ErrGUIDTaken):
		return "another trip has that GUID: look again", nil
	case errors.As(err, &fault) && inQuestion(fault.Code):
		return fault.Reason, nil
	}
	return "", err
}

// export writes the open trips to a file that people fill in.
func (r *resolver) export(path string) error {
	rows := make([]results.Resolution, 0, len(r.open))
	for _, e := range r.open {
		rows = append(rows, listedTrip(e))
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return usage("name a file that is not there yet, in a folder that may be written", "%s can't be written", path)
	}
	err = results.WriteResolutions(out, rows)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Out, "wrote %s to %s; fill in the column `what we found` (there, not there, or a GUID), then\n   tripimport resolve --from %s\n",
		plural(len(rows), "trip"), path, quoted(path))
	return err
}

// listedTrip is an open trip as the list for people has it.
func listedTrip(e ledger.Entry) results.Resolution {
	status := importer.Unknown.String()
	if e.GUIDMissing {
		status = "booked, its GUID is not known"
	}
	return results.Resolution{
		TripID: e.TripID, Date: e.Date.String(), Leg: e.Leg.String(), Status: status,
		Sent: e.ClaimedAt.Local().Format("2006-01-02 15:04:05"), Run: e.Run, Code: e.Code,
		Service: e.Account.Service, Provider: e.Account.Provider,
	}
}

// takeFile takes a filled-in file back.
func (r *resolver) takeFile(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return usage("see that it is there and may be read", "%s can't be read", path)
	}
	rows, err := results.ReadResolutions(path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	type tripKey struct{ id, service, provider string }
	answers := map[tripKey]results.Resolution{}
	for _, row := range rows {
		answers[tripKey{row.TripID, row.Service, row.Provider}] = row
	}
	left := 0
	for _, e := range r.open {
		answer := answers[tripKey{e.TripID, e.Account.Service, e.Account.Provider}]
		verdict := verdictOf(answer.Finding)
		said, err := r.resolve(ctx, r.ledger, e, verdict, answer.GUID)
		if err != nil {
			return err
		}
		if answer.Found != "" && verdict == ledger.Later {
			said = fmt.Sprintf("line %d does not say clearly whether it is there: write its GUID, there or not there", answer.Line)
		}
		if said != "" {
			_, _ = fmt.Fprintf(r.Out, "trip %s: %s\n", e.TripID, said)
		}
		if verdict == ledger.Later || said != "" {
			left++
		}
	}
	return r.rest(left)
}

// verdictOf is what a finding decides.
func verdictOf(f results.Finding) ledger.Verdict {
	switch f {
	case results.Booked:
		return ledger.There
	case results.NotThere:
		return ledger.NotThere
	case results.Unclear:
	}
	return ledger.Later
}

// inQuestion reports that the ledger refused a word about one trip, because it
// is not, or no longer, for a person to decide: that is said, and the next trip
// is asked about. Other faults are of the ledger itself.
func inQuestion(code string) bool {
	switch code {
	case "ledger-no-attempt", "ledger-sent-again", "ledger-in-flight", "ledger-booked", "ledger-not-booked":
		return true
	}
	return false
}
