package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func newHistory(e environment) *cobra.Command {
	var search ledger.Search
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history TRIP",
		Short: "show everything that is known of a trip",
		Example: `  tripimport history 70411-A    who sent it, from which row, and what came of it
  tripimport history --rider R-3310
                                all trips of a rider
  tripimport history --rider -  the same; the id is read from standard input`,
		Long: `Takes a trip id or a GUID. For each trip that is found it says, in order: every
attempt to book it, with file, row and run, what the service answered, every change,
and what people answered. The ledger holds no names and addresses, and a rider's id
only as a hash: it is found, and never shown.

exit: 0 found; 2 nothing found`,
		Args: args(cobra.MaximumNArgs(1), "name one trip: its id, or its GUID"),
		RunE: e.inSession(func(ctx context.Context, s *session, words []string) error {
			search.Trip = strings.Join(words, "")
			if search.Rider == "-" {
				text, err := io.ReadAll(e.In)
				if err != nil {
					return err
				}
				search.Rider = string(text)
			}
			search.Rider = strings.TrimSpace(search.Rider)
			if search.Trip == "" && search.Rider == "" {
				return usage("see `tripimport history --help`", "name a trip, or a rider with --rider")
			}
			return s.showHistory(ctx, search, asJSON)
		}),
	}

	addSettings(cmd, "ledger")
	cmd.Flags().StringVar(&search.Rider, "rider", "", "a rider's `ID` as it stands in the schedule; - reads it from standard input")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// showHistory prints the trips that a search finds.
func (s *session) showHistory(ctx context.Context, search ledger.Search, asJSON bool) error {
	n := 0
	views := []historyView{}
	err := s.Histories(ctx, search, func(found iter.Seq2[ledger.History, error], names map[string]string) error {
		for h, err := range found {
			if err != nil {
				return err
			}
			n++
			if asJSON {
				views = append(views, historyJSON(&h, names))
				continue
			}
			if n > 1 {
				s.printf("\n")
			}
			printHistory(s.environment, &h, names)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case n == 0:
		return usage("look at the trip id or GUID in the results; `tripimport runs` lists the runs", "the ledger has no such trip")
	case asJSON:
		return printJSON(s.Out, views)
	}
	s.printf("\ntimes are in %s\n", time.Now().Format("MST"))
	return nil
}

// printHistory prints a trip: its present status, and what happened to it.
func printHistory(e environment, h *ledger.History, names map[string]string) {
	e.printf("trip %s  %s %s  %s\n", h.ListedID(), h.Date.Spoken(), h.Time.SpokenTime(), strings.TrimSpace(h.Leg.String()+"  "+h.Account.Provider))
	if h.FundingSource != "" {
		e.printf("  funding source %s\n", h.FundingSource)
	}
	e.printf("  now: %s %s\n", statusOf(h), h.GUID)
	for i := range h.Events {
		ev := &h.Events[i]
		e.printf("  %s  %s\n", ev.At.Local().Format("Jan 2 2006 15:04:05"), describeEvent(ev))
		if ev.Run != "" {
			e.printf("%24s%s row %d, run %s\n", "", cmp.Or(names[ev.Input], "a file"), ev.Row, ev.Run)
		}
		if ev.Note != "" {
			e.printf("%24snote: %s\n", "", ev.Note)
		}
	}
}

// statusOf returns the present status of a trip, in words.
func statusOf(h *ledger.History) string {
	words := h.State.String()
	switch {
	case h.State == importer.Created:
		words = "booked"
	case h.State == importer.Unknown && h.Answered:
		words = "not there, as a person said soon after it was sent: a run that begins after " +
			h.ClaimedAt.Add(importer.UnderWay).Local().Format("2006-01-02 15:04") + " sends it again"
	}
	if h.Cancelled {
		words = "cancelled"
	}
	if h.Held {
		words += ", on hold"
	}
	return words
}

// describeEvent says in one line what happened.
func describeEvent(e *ledger.Event) string {
	answer := func() string {
		words := e.State.String()
		if e.Settled.IsZero() {
			words = "no answer was recorded"
		}
		if e.Code != "" {
			words += " (" + e.Code + ")"
		}
		if e.GUID != "" {
			words += " " + e.GUID
		}
		return words
	}
	by := "by " + cmp.Or(e.Who, "somebody")
	if e.Host != "" {
		by += " at " + e.Host
	}
	switch e.Kind {
	case ledger.EventSent:
		if e.Code == importer.CodeBookedByHand {
			return "entered in the dispatch system by hand, and recorded " + by
		}
		return "sent " + by + ": " + answer()
	case ledger.EventChanged:
		var changed []string
		for _, key := range e.Keys {
			changed = append(changed, importer.PropertyName(key))
		}
		return "change of " + strings.Join(changed, ", ") + " sent " + by + ": " + answer()
	case ledger.EventAnswered:
		return strings.TrimSpace(fmt.Sprintf("answered %s: %s %s", by, e.Verdict, e.GUID))
	case ledger.EventHeld:
		return "put on hold " + by
	}
	return "released " + by
}

// These types are the JSON form of a history.
type (
	historyView struct {
		TripID        string      `json:"trip_id"`
		Date          string      `json:"date"`
		Leg           string      `json:"leg"`
		Provider      string      `json:"provider"`
		FundingSource string      `json:"funding_source,omitempty"`
		State         string      `json:"state"`
		Cancelled     bool        `json:"cancelled"`
		Held          bool        `json:"held"`
		GUID          string      `json:"guid,omitempty"`
		Events        []eventView `json:"events"`
	}
	eventView struct {
		Event      string    `json:"event"`
		At         time.Time `json:"at"`
		AnsweredAt time.Time `json:"answered_at,omitzero"`
		Run        string    `json:"run,omitempty"`
		File       string    `json:"file,omitempty"`
		Row        int       `json:"row,omitempty"`
		Who        string    `json:"who,omitempty"`
		Host       string    `json:"host,omitempty"`
		State      string    `json:"state,omitempty"`
		GUID       string    `json:"guid,omitempty"`
		Answer     string    `json:"answer,omitempty"`
		HTTPStatus int       `json:"http_status,omitempty"`
		Changed    []string  `json:"changed,omitempty"`
		Verdict    string    `json:"verdict,omitempty"`
		Note       string    `json:"note,omitempty"`
	}
)

func historyJSON(h *ledger.History, names map[string]string) historyView {
	return historyView{
		TripID: h.ListedID(), Date: h.Date.String(), Leg: h.Leg.Code(), Provider: h.Account.Provider, FundingSource: h.FundingSource,
		State: h.State.Code(), Cancelled: h.Cancelled, Held: h.Held, GUID: h.GUID,
		Events: viewsOf(h.Events, func(e *ledger.Event) eventView { return eventJSON(e, names[e.Input]) }),
	}
}

func eventJSON(e *ledger.Event, file string) eventView {
	view := eventView{
		Event: e.Kind.Code(), At: e.At, AnsweredAt: e.Settled, Run: e.Run, File: file, Row: e.Row, Who: e.Who, Host: e.Host,
		GUID: e.GUID, Answer: e.Code, HTTPStatus: e.HTTPStatus, Changed: e.Keys, Verdict: e.Verdict.String(), Note: e.Note,
	}
	if e.Kind == ledger.EventSent || e.Kind == ledger.EventChanged {
		view.State = e.State.Code()
	}
	return view
}
