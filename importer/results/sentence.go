package results

import (
	"fmt"
	"strings"

	"tripimport/importer"
)

// counted gives how many came to the state.
func (t Tally) counted(states ...importer.State) int {
	n := 0
	for _, c := range t.Counts {
		for _, s := range states {
			if c.Code == s.Code() {
				n += c.N
			}
		}
	}
	return n
}

// sentence says what happened.
func (s *Summary) sentence() string {
	var said []string
	switch {
	case s.Interrupted:
		said = append(said, "stopped by hand")
	case s.Stopped != nil:
		said = append(said, "stopped early: "+s.Stopped.Reason)
	}
	if s.Check {
		said = append(said, s.checked())
	} else {
		said = append(said, s.booked())
	}
	if s.UrgentRows > 0 {
		said = append(said, plural(s.UrgentRows, "row needs", "rows need")+" a person before the day starts")
	}
	if s.FixRows > 0 {
		said = append(said, plural(s.FixRows, "row needs", "rows need")+" fixing")
	}
	if s.AgainRows > 0 {
		said = append(said, plural(s.AgainRows, "row waits", "rows wait")+" for another run")
	}
	text := strings.Join(said, "; ")
	if s.Rehearsal {
		return "Rehearsal, nothing was booked: " + text + "."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (s *Summary) booked() string {
	created := s.Trips.counted(importer.Created)
	earlier := s.Trips.counted(importer.AlreadyCreated)
	all := s.Trips.Sum - s.Trips.counted(importer.Skipped)
	one, many, before := "trip is booked", "trips are booked", "booked"
	if s.Rehearsal {
		one, many, before = "trip would be booked", "trips would be booked", "rehearsed"
	}
	switch {
	case all == 0:
		return "there is no trip to book"
	case earlier == all:
		return allOf(all, "trip was ", "trips were ") + before + " earlier, nothing was sent"
	case created == all:
		return allOf(all, one, many)
	}
	text := fmt.Sprintf("%d of %s", created+earlier, plural(all, one, many))
	if created+earlier == all {
		text = allOf(all, one, many)
	}
	if earlier > 0 {
		text += fmt.Sprintf(", %d of them earlier", earlier)
	}
	return text
}

func (s *Summary) checked() string {
	ready := s.Rows.counted(importer.Ready, importer.AlreadyCreated)
	all := s.Rows.Sum - s.Rows.counted(importer.Skipped)
	switch {
	case all == 0:
		return "there is no row to book"
	case ready == all:
		return allOf(all, "row is", "rows are") + " ready, nothing was sent"
	}
	return fmt.Sprintf("%d of %s ready, nothing was sent", ready, plural(all, "row is", "rows are"))
}

func allOf(n int, one, many string) string {
	if n == 1 {
		return "the " + one
	}
	return fmt.Sprintf("all %d %s", n, many)
}

// alarm says that the control total does not balance.
func (s *Summary) alarm() string {
	if s.Balanced {
		return ""
	}
	return fmt.Sprintf("THE CONTROL TOTAL DOES NOT BALANCE: %d rows and %d trips were read, %d rows and %d trips have an outcome. "+
		"Do not rely on these results: compare them with the input before the day starts",
		s.Rows.Read, s.Trips.Read, s.Rows.Sum, s.Trips.Sum)
}

// control says that the control total balances.
func (s *Summary) control() string {
	if !s.Balanced {
		return s.Alarm
	}
	return fmt.Sprintf("control total: %s and %s read, each with one outcome",
		plural(s.Rows.Read, "row", "rows"), plural(s.Trips.Read, "trip", "trips"))
}

// plan fills in what to do next with the results file of that name.
func (s *Summary) plan(c *Commands, results string) {
	add := func(say, command string) { s.Next = append(s.Next, Step{say, command}) }
	s.Next = []Step{}
	if !s.Balanced {
		add("compare the results with the input before the day starts: the control total does not balance", "")
	}
	if s.UrgentRows > 0 {
		add(fmt.Sprintf("first the %s a person: filter the Needs column of Results for them",
			plural(s.UrgentRows, "row that needs", "rows that need")), "")
	}
	if n := s.Trips.counted(importer.Unknown); n > 0 {
		add(fmt.Sprintf("look for the %s, and write what you found in Results, or run",
			plural(n, "trip that may be booked", "trips that may be booked")), c.Resolve)
	}
	if s.Stopped != nil && s.Stopped.Fix != "" {
		add(s.Stopped.Fix, "")
	}
	switch {
	case s.Check && s.FixRows > 0:
		add(fmt.Sprintf("fix the %s in the schedule or the mapping, then run", plural(s.FixRows, "row", "rows")), c.Again)
	case s.Check:
		add("import it", c.Import)
	case s.FixRows > 0:
		add(fmt.Sprintf("fix the %s in Results (or the mapping), save, then run", plural(s.FixRows, "row", "rows")), c.retry(results))
	case s.AgainRows > 0 || s.Interrupted || s.Stopped != nil:
		add("send what is left", c.retry(results))
	case s.Rehearsal && s.UrgentRows == 0:
		add("this was a rehearsal: import it for real", c.Import)
	case len(s.Next) == 0 && s.Trips.Sum == 0:
		add("nothing left to do: there was no trip", "")
	case len(s.Next) == 0:
		add("nothing left to do: every trip is booked", "")
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
