package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// export writes the open trips to a file that people fill in.
func (r *resolver) export(path string) error {
	if len(r.open) == 0 {
		_, err := fmt.Fprintln(r.Out, "no trip is open: there is nothing to fill in")
		return err
	}
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
	rows, err := returned.ReadResolutions(path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	type tripKey struct{ id, service, provider string }
	answers := map[tripKey]returned.AnsweredTrip{}
	for _, row := range rows {
		answers[tripKey{row.TripID, row.Service, row.Provider}] = row
	}
	left := 0
	for _, e := range r.open {
		answer := answers[tripKey{e.TripID, e.Account.Service, e.Account.Provider}]
		verdict := verdictOf(answer.Verdict)
		if answer.Answer != "" && answer.Run != e.Run {
			_, _ = fmt.Fprintf(r.Out, "trip %s: it was sent again after this list was written: look for it anew\n", e.TripID)
			left++
			continue
		}
		said, err := r.resolve(ctx, r.ledger, e, verdict, answer.GUID)
		if err != nil {
			return err
		}
		if answer.Answer != "" && verdict == ledger.Later {
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
func verdictOf(f returned.Verdict) ledger.Verdict {
	switch f {
	case returned.There:
		return ledger.There
	case returned.NotThere:
		return ledger.NotThere
	case returned.Unclear:
	}
	return ledger.Later
}
