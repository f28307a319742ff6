package results

import (
	"fmt"
	"strings"

	"tripimport/importer"
)

// addSteps sets Next: what to do next.
func (s *Summary) addSteps(c *Commands) {
	s.Next = []Step{}
	rows, cancels := s.UrgentRows-s.DeletedRows-s.Gone, s.Trips.counted(importer.CancelByHand)
	how := "filter the Needs column of the results, and write there what you found or did"
	if s.isListed(c) {
		how, rows, cancels = "answer them under Open trips", rows+s.Gone, 0
	}
	for _, step := range []struct {
		isDue        bool
		say, command string
	}{
		{!s.Balanced, "compare the results with the input before the first pickup: the control total does not balance", ""},
		{s.isBroken() && !s.Check, s.againStep(), c.Again},
		{s.DeletedRows > 0, importer.Counted(s.DeletedRows, "row was", "rows were") + " deleted from the results and not booked: " + fixDeleted, ""},
		{c.Update != "" && !s.Rehearsal && s.toUpdate > 0, fmt.Sprintf("look at what changed of %s, and send it", theCounted(s.toUpdate, "booked trip", "booked trips")), c.Update},
		{rows > 0, fmt.Sprintf("go through %s a person: %s", theCounted(rows, "row that needs", "rows that need"), how), ""},
		{cancels > 0, fmt.Sprintf("go through %s to cancel by hand, and write in the results what you did", theCounted(cancels, "booked trip", "booked trips")), ""},
		{c.Elsewhere > 0, fmt.Sprintf("cancel by hand, or leave, %s that the schedule does not want any more and that no row here has", theCounted(c.Elsewhere, "trip", "trips")), c.Resolve},
		{c.AddPlaces != "", "fill in the coordinates of the addresses that have none, then run", c.AddPlaces},
		{s.Check && c.Import == "" && s.WaitingRows > 0, "the next import asks for the answers that are missing, in its results", ""},
		{c.SetUp != "" && s.isReady(), "before an import for real, set up the address of the service, the token and the ledger", c.SetUp},
		{c.SetUp == "" && c.Approve != "" && s.isReady(), "the mapping is not approved yet: look at its trips and approve them, then import", c.Approve},
	} {
		if step.isDue {
			s.addStep(step.say, step.command)
		}
	}
	if c.SetUp == "" && c.Approve == "" || !s.isReady() {
		s.addLastStep(c)
	}
}

// isListed reports that the page, which has no commands, has all that needs a person in one list.
func (s *Summary) isListed(c *Commands) bool { return c.Retry == "" && !s.Check && !s.Rehearsal }

// isReady reports whether a schedule that was checked or rehearsed can be imported.
func (s *Summary) isReady() bool {
	return s.FixRows == 0 && (s.Check || s.Rehearsal && s.WaitingRows+s.UrgentRows == 0)
}

// isBroken reports that the run left trips unsent because it was stopped.
func (s *Summary) isBroken() bool { return s.Interrupted || s.Stopped != nil }

// againStep says how the same command continues a run that was stopped. It is the first
// step, because the command sends what was not sent, and nothing twice.
func (s *Summary) againStep() string {
	const again = "do the same again"
	switch {
	case s.Stopped == nil || s.Stopped.Fix == "":
		return again + ": it sends what was not sent, and nothing twice"
	case strings.Contains(s.Stopped.Fix, again):
		return s.Stopped.Fix
	}
	return s.Stopped.Fix + "; then " + again
}

// addLastStep adds the last step: the next run, or "nothing left to do" if there is no
// other step.
func (s *Summary) addLastStep(c *Commands) {
	switch {
	case s.Check && s.FixRows > 0:
		s.addStep(fmt.Sprintf("fix %s in the file or the mapping, then run", theCounted(s.FixRows, "row", "rows")), c.Again)
	case s.Check && c.Import != "":
		s.addStep("import it", c.Import)
	case !s.Check && s.FixRows+s.WaitingRows > 0:
		s.addStep(s.fixStep(c.Retry == ""), c.Retry)
	case !s.Check && !s.isListed(c) && s.UrgentRows > s.DeletedRows:
		s.addStep("once you have written in the results what you found or did, save them and run", c.Retry)
	case s.AgainRows > 0 && len(s.Next) == 0:
		s.addStep("send what is left", c.Retry)
	case s.Rehearsal && s.UrgentRows == 0:
		s.addStep("this was a rehearsal: import it for real", c.Import)
	case len(s.Next) == 0:
		s.addStep("nothing left to do", "")
	}
}

// fixStep says where rows are fixed and answered: in the results or, at the page, on its screens.
func (s *Summary) fixStep(atPage bool) string {
	how := "in the results (or the mapping), save them, then retry them"
	if atPage {
		how = "under Its faults and Open trips, then plan it again"
	}
	verb := "fix"
	if s.WaitingRows > 0 {
		verb = "answer or fix"
	}
	return fmt.Sprintf("%s %s %s", verb, theCounted(s.FixRows+s.WaitingRows, "row", "rows"), how)
}

// addStep adds a step. Where a face has buttons there is no command, and the words that lead to it go.
func (s *Summary) addStep(say, command string) {
	if command == "" {
		say = strings.TrimSuffix(strings.TrimSuffix(say, ", then run"), " and run")
	}
	s.Next = append(s.Next, Step{say, command})
}

// theCounted is importer.Counted with the article: the row, the 3 rows.
func theCounted(n int, one, many string) string {
	return "the " + noun(n, one, fmt.Sprint(n, " ", many))
}
