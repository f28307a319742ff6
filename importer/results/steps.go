package results

import (
	"fmt"
	"path/filepath"
	"strings"

	"tripimport/importer"
)

// addSteps sets Next: what to do next with the results file of that name.
func (s *Summary) addSteps(c *Commands, file string) {
	s.Next = []Step{}
	s.csv = strings.EqualFold(filepath.Ext(file), "."+string(CSV))
	updates := c.Update != "" && !s.Rehearsal
	rows, cancels, unsure := s.rowsForPerson(updates), s.Trips.counted(importer.CancelByHand), s.toResolve
	how := "filter the Needs column of " + s.where(resultsSheet)
	if s.isListed(c) {
		how, rows, cancels, unsure = "answer them under Open trips", rows+s.Gone, 0, 0
	}
	for _, step := range []struct {
		isDue        bool
		say, command string
	}{
		{!s.Balanced, "compare the results with the input before the first pickup: the control total does not balance", ""},
		{s.isBroken() && !s.Check, s.againStep(), c.Again},
		{s.DeletedRows > 0, importer.Counted(s.DeletedRows, "row was", "rows were") + " deleted from the results and not booked: " + fixDeleted, ""},
		{rows > 0, fmt.Sprintf("%s %s a person: %s", map[bool]string{true: "then", false: "first"}[s.isBroken()],
			theCounted(rows, "row that needs", "rows that need"), how), ""},
		{cancels > 0, fmt.Sprintf("go through %s in %s, and write there what you did", theCounted(cancels, "booked trip", "booked trips"), s.where(byHandSheet)), ""},
		{c.Elsewhere > 0, fmt.Sprintf("cancel by hand, or leave, %s that the schedule does not want any more and that no row here has", theCounted(c.Elsewhere, "trip", "trips")), c.Resolve},
		{updates && s.toUpdate > 0 && c.Older, fmt.Sprintf("a later schedule was imported, and %s otherwise in this one: import the newest one instead",
			importer.Counted(s.toUpdate, "booked trip is", "booked trips are")), ""},
		{updates && s.toUpdate > 0 && !c.Older, fmt.Sprintf("look at what changed of %s, and send it", theCounted(s.toUpdate, "booked trip", "booked trips")), c.Update},
		{unsure > 0, fmt.Sprintf("look for %s, and write what you found in %s, or run",
			theCounted(unsure, "trip that may be booked", "trips that may be booked"), s.where(resultsSheet)), c.Resolve},
		{c.AddPlaces != "", "fill in the coordinates of the addresses that have none, then run", c.AddPlaces},
	} {
		if step.isDue {
			s.addStep(step.say, step.command)
		}
	}

	switch {
	case c.SetUp != "" && s.isReady():
		s.addStep("before an import for real, set up the address of the service, the token and the ledger", c.SetUp)
	case c.Approve != "" && s.isReady():
		s.addStep("the mapping is not approved yet: look at its trips and approve them, then import", c.Approve)
	default:
		s.addLastStep(c)
	}
}

// rowsForPerson counts the rows that need a person whatever is run next. It leaves out
// rows for which an update does everything, if updates reports that the update is a step,
// and rows that are half booked only because the run was stopped.
func (s *Summary) rowsForPerson(updates bool) int {
	n := s.UrgentRows - s.DeletedRows - s.Gone
	if updates {
		n -= s.updateRows
	}
	if s.isBroken() {
		n -= s.resentRows
	}
	return n
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
	if s.Stopped != nil && strings.Contains(s.Stopped.Fix, again) {
		return s.Stopped.Fix
	}
	text := again
	if s.AgainRows > 0 {
		text += fmt.Sprintf(": it sends %s, and nothing twice", theCounted(s.AgainRows, "row that waits", "rows that wait"))
	}
	if s.Stopped != nil && s.Stopped.Fix != "" {
		return s.Stopped.Fix + "; then " + text
	}
	return text
}

// addLastStep adds the last step: the next run, or "nothing left to do" if there is no
// other step.
func (s *Summary) addLastStep(c *Commands) {
	switch {
	case s.Check && s.addCheckStep(c):
	case !s.Check && s.FixRows+s.WaitingRows > 0:
		s.addStep(s.fixStep(c.Retry == ""), c.Retry)
	case !s.Check && !s.isListed(c) && s.Gone+s.rowsForPerson(c.Update != "" && !s.Rehearsal) > 0:
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
	verb, also := map[bool]string{true: "answer or fix", false: "fix"}[s.WaitingRows > 0], ""
	how := fmt.Sprintf("in %s (or the mapping), save it, then retry it", s.where(resultsSheet))
	if atPage {
		how = "under Its faults and Open trips, then plan it again"
	}
	if s.AgainRows > 0 && !s.isBroken() {
		also = fmt.Sprintf("; it also sends %s", theCounted(s.AgainRows, "row that waits for another run", "rows that wait for another run"))
	}
	return fmt.Sprintf("%s %s %s%s", verb, theCounted(s.FixRows+s.WaitingRows, "row", "rows"), how, also)
}

// addCheckStep adds the step that follows a check. It reports whether there is one.
func (s *Summary) addCheckStep(c *Commands) bool {
	switch {
	case s.FixRows > 0:
		s.addStep(fmt.Sprintf("fix %s in the file or the mapping, then run", theCounted(s.FixRows, "row", "rows")), c.Again)
	case c.Import != "":
		s.addStep("import it", c.Import)
	case s.WaitingRows > 0: // of the results of a check, which nothing sends
		s.addStep(fmt.Sprintf("the next import asks for an answer about %s, in its results", importer.Counted(s.WaitingRows, "row", "rows")), "")
	default:
		return false
	}
	return true
}

// where names a sheet of the results; a CSV file has none.
func (s *Summary) where(sheet string) string {
	if s.csv {
		return "the results"
	}
	return sheet
}

// addStep adds a step. Where a face has buttons there is no command, and the words that lead to it go.
func (s *Summary) addStep(say, command string) {
	if command == "" {
		for _, lead := range []string{", or run", ", then run", " and run"} {
			say = strings.TrimSuffix(say, lead)
		}
	}
	s.Next = append(s.Next, Step{say, command})
}

// theCounted is importer.Counted with the article: the row, the 3 rows.
func theCounted(n int, one, many string) string {
	return "the " + noun(n, one, fmt.Sprint(n, " ", many))
}
