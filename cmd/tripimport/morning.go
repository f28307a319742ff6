package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

func newMorning(e environment) *cobra.Command {
	var f runFlags
	var workbook string
	var unsent []string
	cmd := &cobra.Command{
		Use:   "morning",
		Short: "list what is still open, the most urgent first, and ask about it",
		Example: `  tripimport morning           what is open; at a terminal, it asks about each
  tripimport morning --workbook schedules
                               the same as schedules/morning.xlsx, to answer in`,
		Long: `Lists what is open of all runs, brokers and days: what is to be done before the
next pickup, and then the rest. At a terminal it asks about each. With
--workbook FOLDER it is written to morning.xlsx there, with yellow cells to
answer in; the next import, retry, night or morning takes what was saved in
them.

exit: 0 nothing is to be done before the next pickup, whatever else is open; 4
something is; 1 some answers were not taken; 2 usage`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			if len(unsent) > 0 && workbook == "" {
				return usage("name the folder with --workbook FOLDER", "--unsent writes a workbook beside the list, and no folder is named")
			}
			pages := importer.Each(unsent, func(path string) app.Unsent { return app.Unsent{Path: path} })
			asks := !f.json && workbook == "" && isTerminal(s.In) && s.WhyNoAnswer() == ""
			return s.runMorning(ctx, &f, app.MorningOptions{Folder: workbook, Take: asks, Unsent: pages})
		}),
	}

	flags := cmd.Flags()
	flags.StringVar(&workbook, "workbook", "", "`FOLDER` of the workbook that people answer in")
	flags.StringArrayVar(&unsent, "unsent", nil, "a schedule `FILE` that can't be sent in time: write a workbook beside the list, to phone its trips from")
	flags.BoolVar(&f.json, "json", false, "print the list as one JSON document")
	return cmd
}

// runMorning shows the list, and asks about it at a terminal.
func (s *session) runMorning(ctx context.Context, f *runFlags, o app.MorningOptions) error {
	m, taken, err := s.Morning(ctx, o)
	if err != nil {
		return err
	}
	s.tellWhyNot("no answer can be taken")
	if f.json {
		err = printJSON(s.Out, morningJSON(m, taken))
	} else {
		s.printMorning(m, taken, o.Folder != "" || o.Take)
	}
	for _, part := range []*[]results.OpenItem{&m.Urgent, &m.Listed} {
		*part = slices.DeleteFunc(*part, func(item results.OpenItem) (answered bool) {
			if o.Take && err == nil {
				answered, err = s.askItem(ctx, &item)
			}
			return answered
		})
	}
	switch {
	case err != nil:
		return err
	case len(m.Urgent) > 0 || len(m.Lost) > 0:
		return &app.Error{Status: app.NeedsPerson}
	case len(taken.Notes) > 0:
		return &app.Error{Status: app.Unexpected, Reason: importer.Counted(len(taken.Notes), "answer needs", "answers need") + " a second look", Fix: "see what is said of each; they stay in the workbook"}
	}
	return nil
}

// tellWhyNot says why the ledger takes no answers, if it takes none: it may be a copy, which lacks what was booked since.
func (s *session) tellWhyNot(otherwise string) {
	if why := s.WhyNoAnswer(); why != "" {
		s.notice(otherwise + ": " + why)
	}
}

// printMorning prints the list for people.
func (s *session) printMorning(m *results.Morning, taken app.Taken, took bool) {
	if took {
		s.line(importer.Counted(taken.Answers, "answer was", "answers were") + " taken from workbooks")
		for _, note := range taken.Notes {
			s.line("  " + results.Inert(note))
		}
	}
	if len(m.Urgent) > 0 || len(m.Lost) == 0 {
		s.printPart("to do "+importer.ActNow.String(), m.Urgent)
	} else {
		s.line("\nto do " + importer.ActNow.String() + ":")
	}
	for _, text := range m.Unknown() {
		s.line("  " + results.Inert(text))
	}
	s.printPart("to do "+importer.Listed.String(), m.Listed)
	for _, text := range m.Past() {
		s.line("\n" + results.Inert(text))
	}
	if m.UnsentFile != "" {
		s.line("\nto phone from: " + results.Inert(m.UnsentFile))
	}
	if m.Written != "" {
		s.line("\nwritten to " + results.Inert(m.Written))
	}
}

// printPart prints one part of the list.
func (s *session) printPart(what string, items []results.OpenItem) {
	s.line(fmt.Sprintf("\n%s: %s", what, importer.Counted(len(items), "trip", "trips")))
	for i := range items {
		s.printItem(&items[i])
	}
}

// printItem prints an item for people.
func (s *session) printItem(item *results.OpenItem) {
	words := []string{item.When(), item.Trip.ListedID(), item.Trip.Leg.String(), item.Passenger, item.Status()}
	s.printf("  %s\n", strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), "  "))
	for _, text := range []string{item.Trip.Listed(item.Problem), item.Trip.Listed(item.Fix), morningPlace(item)} {
		if text != "" {
			s.printf("      %s\n", text)
		}
	}
}

// morningPlace says where an item is, in the schedule and in the results.
func morningPlace(item *results.OpenItem) string {
	place := item.Place()
	if item.Results != "" {
		place += "\nin " + filepath.Base(item.Results)
	}
	return strings.ReplaceAll(strings.TrimPrefix(place, "\n"), "\n", ", ")
}

// These types are the JSON form of a morning list. It has no names of people and no places.
type (
	morningView struct {
		Made          time.Time                `json:"made"`
		Urgent        []openView               `json:"before_next_pickup"`
		Listed        []openView               `json:"through_the_day"`
		NeverAnswered int                      `json:"never_answered"`
		Since         string                   `json:"never_answered_since"`
		Lost          []results.LostRun        `json:"not_known"`
		Missing       []results.MissingResults `json:"results_not_found"`
		Taken         int                      `json:"answers_taken"`
		Notes         []string                 `json:"answers_not_taken"`
		Workbook      string                   `json:"workbook,omitempty"`
	}
	openView struct {
		Begins   string   `json:"begins,omitempty"`
		TripID   string   `json:"trip_id,omitempty"`
		Leg      string   `json:"leg"`
		Provider string   `json:"provider,omitempty"`
		GUID     string   `json:"guid,omitempty"`
		State    string   `json:"state"`
		Half     bool     `json:"half_booked"`
		Question string   `json:"question,omitempty"`
		Answers  []string `json:"answers"`
		File     string   `json:"file,omitempty"`
		Sheet    string   `json:"sheet,omitempty"`
		Row      int      `json:"row,omitempty"`
		Results  string   `json:"results,omitempty"`
	}
)

func morningJSON(m *results.Morning, taken app.Taken) morningView {
	return morningView{
		Made: m.Made, Urgent: viewsOf(m.Urgent, openJSON), Listed: viewsOf(m.Listed, openJSON), NeverAnswered: m.NeverAnswered, Since: m.Since.String(),
		Lost: append([]results.LostRun{}, m.Lost...), Missing: append([]results.MissingResults{}, m.Missing...),
		Taken: taken.Answers, Notes: append([]string{}, taken.Notes...), Workbook: m.Written,
	}
}

func openJSON(item *results.OpenItem) openView {
	o := &item.Outcome
	return openView{
		Begins: item.Begins().String(), TripID: item.Trip.ListedID(), Leg: item.Trip.Leg.Code(), Provider: item.Trip.Provider,
		GUID: o.GUID, State: o.State.Code(), Half: o.HalfBooked, Question: o.Question.Code(),
		Answers: viewsOf(o.Verdicts(), func(v *importer.Verdict) string { return v.String() }),
		File:    item.File, Sheet: item.Sheet, Row: item.Row, Results: item.Results,
	}
}

// askItem asks about an item until its answer is taken, or nobody answers.
func (s *session) askItem(ctx context.Context, item *results.OpenItem) (answered bool, err error) {
	fit := item.Outcome.VerdictWords()
	if fit == "" {
		return false, nil
	}
	s.line("")
	for {
		s.printItem(item)
		s.printf("      %s; Enter for later: ", fit)
		text, _ := s.readLine() // an error counts as no answer
		if text == "" || strings.EqualFold(text, "later") {
			return false, ctx.Err()
		}
		verdict, guid, ok := importer.ParseVerdict(text)
		if !ok {
			s.line("      that is none of these answers: nothing is recorded")
			continue
		}
		if verdict == importer.NotThere && !s.ask("      it will be sent again; if it is there after all, two cars come. sure?") {
			s.line("      nothing is recorded")
			return false, nil
		}
		note, err := s.AnswerOpen(ctx, item, verdict, guid)
		if err != nil || note == "" {
			return err == nil && verdict.Settles(), err
		}
		s.line("      " + results.Inert(note))
		return false, nil
	}
}
