package results

import (
	"cmp"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A possibleStep is a step that may be due.
type possibleStep struct {
	isDue        bool
	say, command string
}

// addSteps sets Next: what to do next.
func (s *Summary) addSteps(c *Commands) {
	s.Next = []Step{}
	rows, again := s.UrgentRows-s.DeletedRows, "do the same again: it sends what was not sent, and nothing twice"
	if s.Stopped != nil {
		again = cmp.Or(s.Stopped.Fix, again)
	}
	for _, step := range []possibleStep{
		{!s.Balanced, "compare the results with the input before the first pickup: the control total does not balance", ""},
		{(s.Interrupted || s.Stopped != nil) && !s.Check, again, c.Again}, // first, because it sends what was not sent
		{s.DeletedRows > 0, importer.Counted(s.DeletedRows, "row was", "rows were") + " deleted from the results and not booked: " + fixDeleted, ""},
		{c.Update != "" && !s.Rehearsal && s.toUpdate > 0, "look at what changed of " + importer.Counted(s.toUpdate, "booked trip", "booked trips") + ", and send it", c.Update},
		{rows > 0, "go through " + importer.Counted(rows, "row or trip that needs", "rows or trips that need") + " a person: answer them " + s.placeToAnswer(c), ""},
		{c.Elsewhere > 0, fmt.Sprintf("cancel by hand, or leave, %s that the schedule does not want any more and that no row here has", importer.Counted(c.Elsewhere, "trip", "trips")), c.Resolve},
		{c.AddPlaces != "", "fill in the coordinates of the addresses that have none, then run", c.AddPlaces},
		{s.Check && c.Import == "" && s.WaitingRows > 0, "the next import asks for the answers that are missing, in its results", ""},
	} {
		if step.isDue {
			s.Next = append(s.Next, Step{step.say, step.command})
		}
	}
	s.addLastStep(c)
}

// placeToAnswer says where people answer: in the results or, at the page, which has no commands, in its list.
func (s *Summary) placeToAnswer(c *Commands) string {
	if c.Retry == "" && !s.Check && !s.Rehearsal {
		return "under Open trips"
	}
	return "in the results, under " + seal.AnswerHeader
}

// addLastStep adds the last step: the next run, or "nothing left to do" if there is no
// other step.
func (s *Summary) addLastStep(c *Commands) {
	sent, alone, toFix := !s.Check, len(s.Next) == 0, importer.Counted(s.FixRows+s.WaitingRows, "row", "rows")
	steps := []possibleStep{
		{s.Check && s.FixRows > 0, "fix " + importer.Counted(s.FixRows, "row", "rows") + " in the file or the mapping, then run", c.Again},
		{s.Check && c.Import != "", "import it", c.Import},
		{sent && s.FixRows+s.WaitingRows > 0, "answer or fix " + toFix + " " + fixPlace(c), c.Retry},
		{sent && c.Retry != "" && s.UrgentRows > s.DeletedRows, "once you have answered in the results, save them and run", c.Retry},
		{alone && s.AgainRows > 0, "send what is left", c.Retry},
		{s.Rehearsal && s.UrgentRows == 0, "this was a rehearsal: import it for real", c.Import},
		{alone, "nothing left to do", ""},
	}
	if i := slices.IndexFunc(steps, func(p possibleStep) bool { return p.isDue }); i >= 0 {
		s.Next = append(s.Next, Step{steps[i].say, steps[i].command})
	}
}

// fixPlace says where rows are fixed: in the results or, at the page, on its screens.
func fixPlace(c *Commands) string {
	if c.Retry == "" {
		return "under Its faults and Open trips, then plan it again"
	}
	return "in the results (or the mapping), save them, then retry them"
}
