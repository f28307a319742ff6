package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// resolveCards asks the person at the terminal about the open trips, and shows a card for each.
type resolveCards struct {
	*app.Resolver
	environment
}

// askAll shows a card for each trip and records the answers.
func (r *resolveCards) askAll(ctx context.Context) error {
	if len(r.Open()) == 0 {
		_, err := fmt.Fprintln(r.Out, "no trip is open: each trip that was sent is known to be booked or not booked")
		return err
	}
	if !isTerminal(r.In) {
		return usage("answer in the results, and run `tripimport retry` with them", "nobody is at the terminal to answer for %s", importer.Counted(len(r.Open()), "open trip", "open trips"))
	}

	in := bufio.NewReader(r.In)
	left := 0
	for i := range r.Open() {
		e := &r.Open()[i]
		r.print(r.Out, fmt.Sprintf("\n%d of %d\n%s", i+1, len(r.Open()), r.card(e)))
		verdict, guid, err := r.askAbout(in, e)
		switch {
		case err != nil:
			return err
		case verdict == importer.NoVerdict: // the answer is "later"
			left++
			continue
		}
		taken, note, err := r.Answer(ctx, e, verdict, guid)
		if err != nil {
			return err
		}
		if note != "" {
			r.printf("%s\n", note)
		}
		if !taken {
			left++
		}
	}
	return r.stillOpen(left)
}

// askAbout asks about a trip and offers the answers that fit it. It returns the verdict, and the
// GUID if one was typed.
func (r *resolveCards) askAbout(in *bufio.Reader, e *importer.Standing) (importer.Verdict, string, error) {
	switch {
	case lostChange(e):
		return r.askChange(in)
	case e.GUIDMissing:
		return r.askOne(in, "its GUID / there / later")
	}
	return r.askOne(in, "there (or its GUID) / not there / later")
}

// card returns what a person needs to look for a trip.
func (r *resolveCards) card(e *importer.Standing) string {
	var b strings.Builder
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-10s %s\n", name, results.Inert(value))
		}
	}

	leg := e.Leg.String()
	row("trip", strings.TrimSpace(e.ListedID()+" "+leg))
	if e.Alias != "" {
		row("its id", "in the results of run "+e.Run)
	}
	row("date", e.Day.Spoken())
	row("time", e.Begins.SpokenTime())
	if t, ok := r.Trip(e); ok {
		row("rider", t.RiderID)
		row("from", location(t.Pickup))
		row("to", location(t.Dropoff))
	}

	row("provider", e.Account.Provider)
	if lostChange(e) {
		row("GUID", e.GUID)
		row("change of", importer.PropertyNames(e.Change.Keys))
		row("sent", e.Change.At.Local().Format("2006-01-02 15:04:05"))
		return b.String()
	}
	row("sent", e.ClaimedAt.Local().Format("2006-01-02 15:04:05"))
	row("came back", cameBack(e))
	return b.String()
}

// cameBack says in words what the service answered.
func cameBack(e *importer.Standing) string {
	switch {
	case e.GUIDMissing:
		return "it is booked, but its GUID did not come"
	case e.Code == "":
		return "nothing: the run was broken off"
	case e.Code == "unclear":
		return "no answer"
	}
	if status, unclear := strings.CutSuffix(e.Code, " unclear"); unclear {
		return "an answer that proves nothing (HTTP " + status + ")"
	}
	return e.Code
}

// lostChange reports whether the trip is booked and a change of it may not have arrived.
func lostChange(e *importer.Standing) bool {
	return e.State == importer.TripBooked && !e.GUIDMissing && e.Change != nil && e.Change.State == importer.ChangeUnclear
}

// askChange asks about a change of a trip. The end of the input counts as "later".
func (r *resolveCards) askChange(in *bufio.Reader) (importer.Verdict, string, error) {
	for {
		_, _ = fmt.Fprint(r.Out, "  look at it in the dispatch system, change it if it is not so:  done by hand / leave it / later: ")
		line, err := in.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF):
			return importer.NoVerdict, "", nil
		case err != nil:
			return importer.NoVerdict, "", usage("", "the answer can't be read from the terminal")
		}
		answer := strings.TrimSpace(line)
		verdict, _, ok := importer.ParseVerdict(answer)
		later := answer == "" || strings.EqualFold(answer, "later") || strings.EqualFold(answer, "l")
		if ok || later {
			return verdict, "", nil
		}
	}
}

// askOne asks whether a trip is booked until it has an answer: a verdict, and the GUID if one
// was typed. The end of the input counts as "later".
func (r *resolveCards) askOne(in *bufio.Reader, answers string) (importer.Verdict, string, error) {
	for {
		_, _ = fmt.Fprintf(r.Out, "  in the dispatch system?  %s: ", answers)
		line, err := in.ReadString('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				return importer.NoVerdict, "", nil
			}
			return importer.NoVerdict, "", usage("", "the answer can't be read from the terminal")
		}
		switch answer := strings.TrimSpace(line); strings.ToLower(answer) {
		case "", "l", "later":
			return importer.NoVerdict, "", nil
		case "there", "y", "yes":
			_, _ = fmt.Fprint(r.Out, "  its GUID, if you can see it: ")
			text, err := in.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				return importer.NoVerdict, "", usage("", "the answer can't be read from the terminal")
			}
			guid, ok := importer.ParseGUID(strings.TrimSpace(text))
			if ok || strings.TrimSpace(text) == "" {
				return importer.There, guid, nil
			}
			_, _ = fmt.Fprintln(r.Out, "  that is not a GUID: nothing is recorded yet")
		case "not there", "n", "no":
			_, _ = fmt.Fprint(r.Out, "  it will be sent again; if it is there after all, two cars come. sure? (yes/no): ")
			sure, err := in.ReadString('\n')
			if err == nil && strings.TrimSpace(strings.ToLower(sure)) == "yes" {
				return importer.NotThere, "", nil
			}
		default:
			if verdict, guid, ok := importer.ParseVerdict(answer); ok {
				return verdict, guid, nil
			}
		}
	}
}
