package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

func newMorning(e environment) *cobra.Command {
	var f runFlags
	var take bool
	var workbook string
	var unsent []string
	cmd := &cobra.Command{
		Use:   "morning [RESULTS-FOLDER…]",
		Short: "list what is still open of all runs, the most urgent first",
		Example: `  tripimport morning schedules
                               what is open, by the results in schedules
  tripimport morning schedules --workbook schedules
                               the same, and schedules/morning.xlsx to answer in
  tripimport morning --take --workbook schedules
                               take the answers in it, and write it anew`,
		Long: `Lists what is open of all runs, brokers and days, in two parts: what is to be done
before the next pickup, and in the course of the day; each begins with the
first pickup. Open is what may be booked, is half booked, is to be reinstated, cancelled
or changed by hand, is gone from the schedule, waits for an answer, or is not booked.
What was answered or fixed leaves the list, and so does a trip that has begun; the trips
that nobody answered by then are counted. The results of the runs have to be in the
folders; without a folder they are looked for where nights put them, or in this one.

With --workbook FOLDER the list is written to morning.xlsx there. Write what you found and
your name into its yellow cells and save it. --take takes the answers: what was sent is
settled, and rows that an answer sets free are sent. An answer that can't be taken is
named, and stays in the new workbook. If somebody has the workbook open, it is left, and
the list is written to morning-2.xlsx; answers are taken from both.

exit: 0 nothing is to be done before the next pickup, whatever else is open; 4 something
is; 1 some answers were not taken; 2 usage; 5, 6, 11 as of import, for answers that send`,
		RunE: e.inSession(func(ctx context.Context, s *session, folders []string) error {
			o := app.MorningOptions{Folder: workbook, Inputs: folders}
			for _, path := range unsent {
				o.Unsent = append(o.Unsent, app.Unsent{Path: path})
			}
			if workbook == "" && len(folders) == 0 {
				o.Inputs = []string{"."}
				if config, err := s.nightConfig(); err == nil {
					o.Inputs = []string{config.Results}
				}
			}
			if take && workbook == "" && len(o.Inputs) == 1 {
				o.Folder = o.Inputs[0]
			}
			return s.runMorning(ctx, &f, o, take)
		}),
	}

	addService(cmd, "ledger", "rate", "burst", "workers", "mappings", "places", "geocoder", "geocoder_url", "results_format", "log_format")
	flags := cmd.Flags()
	flags.StringVar(&workbook, "workbook", "", "`FOLDER` of the workbook that people answer in; results are looked for there too")
	flags.StringArrayVar(&unsent, "unsent", nil, "a schedule `FILE` that can't be sent in time: write a workbook beside the list, to phone its trips from")
	flags.BoolVar(&take, "take", false, "take the answers in the workbook first")
	flags.BoolVar(&f.json, "json", false, "print the list as one JSON document")
	flags.BoolVar(&f.open, "open", false, "open the workbook when it is written")
	flags.DurationVar(&f.LockWait, "lock-wait", 0, "how long (`TIME`, such as 5m) to wait for a run that holds the ledger")
	return cmd
}

// runMorning takes the answers if take is set, and shows the list.
func (s *session) runMorning(ctx context.Context, f *runFlags, o app.MorningOptions, take bool) error {
	if take && o.Folder == "" {
		return usage("name its folder with --workbook", "it is not clear where the workbook with the answers is")
	}
	var taken app.Taken
	var takeErr error
	if take {
		taken, takeErr = s.TakeMorning(ctx, o, f.Options, app.Silent{})
	}
	m, err := s.Morning(ctx, o)
	if err != nil {
		return err
	}

	if f.json {
		err = printJSON(s.Out, morningJSON(m, taken))
	} else {
		s.printMorning(m, taken, take)
	}
	if f.open && m.Written != "" {
		openFile(m.Written)
	}
	switch {
	case err != nil:
		return err
	case takeErr != nil:
		return takeErr
	case len(m.Urgent) > 0 || len(m.Lost) > 0:
		return &app.Error{Status: app.NeedsPerson}
	case len(taken.Notes) > 0:
		return &app.Error{Status: app.Unexpected, Reason: importer.Counted(len(taken.Notes), "answer needs", "answers need") + " a second look", Fix: "see what is said of each; they stay in the workbook"}
	}
	return nil
}

// printMorning prints the list for people.
func (s *session) printMorning(m *results.Morning, taken app.Taken, took bool) {
	if took {
		s.line(importer.Counted(taken.Answers, "answer was", "answers were") + " taken")
		for _, note := range taken.Notes {
			s.line("  " + results.Inert(note))
		}
	}
	s.printPart("to do "+importer.ActNow.String(), m.Urgent)
	for _, file := range m.Phoned {
		s.line("  not sent by last call: give the trips of " + results.Inert(file) + " by phone or fax, if nobody has")
	}
	for _, lost := range m.Lost {
		s.line("  " + results.Inert(strings.Join(lost.Files, ", ")) + ": what is open in it is not known: " + results.Inert(lost.Reason) + "; " + results.Inert(lost.Fix))
	}
	s.printPart("to do "+importer.Listed.String(), m.Listed)
	if m.NeverAnswered > 0 {
		s.line(fmt.Sprintf("\nsince %s, %s begun before anybody answered", m.Since.Spoken(), importer.Counted(m.NeverAnswered, "trip has", "trips have")))
	}
	if m.UnsentFile != "" {
		s.line("\nto phone from: " + results.Inert(m.UnsentFile))
	}
	if m.Written != "" {
		s.line("\nwritten to " + results.Inert(m.Written))
	}
}

// printPart prints one part of the list.
func (s *session) printPart(what string, items []results.MorningItem) {
	s.line(fmt.Sprintf("\n%s: %s", what, importer.Counted(len(items), "trip", "trips")))
	for i := range items {
		item := &items[i]
		words := []string{"time not known"}
		if !item.Day.IsZero() {
			words = []string{item.Day.Spoken() + " time not known"}
		}
		if at := item.Begins(); !at.IsZero() {
			words = []string{at.Spoken() + " " + at.SpokenTime()}
		}
		for _, text := range []string{item.Trip.ListedID(), item.Trip.Leg.String(), item.Passenger, item.Status()} {
			if text != "" {
				words = append(words, text)
			}
		}
		s.line("  " + results.Inert(strings.Join(words, "  ")))
		for _, text := range []string{item.Note, item.Trip.Listed(item.Problem), item.Trip.Listed(item.Fix), morningPlace(item)} {
			if text != "" {
				s.line("      " + results.Inert(text))
			}
		}
	}
}

// morningPlace says where an item is, in the schedule and in the results.
func morningPlace(item *results.MorningItem) string {
	place := item.Place()
	if item.Results != "" {
		place += "\nin " + filepath.Base(item.Results)
	}
	return strings.ReplaceAll(strings.TrimPrefix(place, "\n"), "\n", ", ")
}

// These types are the JSON form of a morning list. It has no names of people and no places.
type (
	morningView struct {
		Made          time.Time     `json:"made"`
		Urgent        []openView    `json:"before_next_pickup"`
		Listed        []openView    `json:"through_the_day"`
		NeverAnswered int           `json:"never_answered"`
		Since         string        `json:"never_answered_since"`
		Lost          []lostRunView `json:"not_known"`
		Taken         int           `json:"answers_taken"`
		Notes         []string      `json:"answers_not_taken"`
		Workbook      string        `json:"workbook,omitempty"`
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
	lostRunView struct {
		Run    string   `json:"run,omitempty"`
		Host   string   `json:"machine,omitempty"`
		Files  []string `json:"files"`
		Reason string   `json:"reason"`
	}
)

func morningJSON(m *results.Morning, taken app.Taken) morningView {
	return morningView{
		Made: m.Made, Urgent: viewsOf(m.Urgent, openJSON), Listed: viewsOf(m.Listed, openJSON), NeverAnswered: m.NeverAnswered, Since: m.Since.String(),
		Lost: viewsOf(m.Lost, func(lost *results.LostRun) lostRunView {
			return lostRunView{lost.Run, lost.Host, lost.Files, lost.Reason}
		}), Taken: taken.Answers, Notes: append([]string{}, taken.Notes...), Workbook: m.Written,
	}
}

func openJSON(item *results.MorningItem) openView {
	o := &item.Outcome
	return openView{
		Begins: item.Begins().String(), TripID: item.Trip.ListedID(), Leg: item.Trip.Leg.Code(), Provider: item.Trip.Provider,
		GUID: o.GUID, State: o.State.Code(), Half: o.HalfBooked, Question: o.Question.Code(),
		Answers: viewsOf(o.Verdicts(), func(v *importer.Verdict) string { return v.String() }),
		File:    item.File, Sheet: item.Sheet, Row: item.Row, Results: item.Results,
	}
}
