package results

import (
	"cmp"
	"fmt"
	"strings"

	"tripimport/importer"
)

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
	for _, part := range []struct {
		rows            int
		one, many, what string
	}{
		{s.UrgentRows - s.ListedRows - s.Gone, "row needs", "rows need", " a person " + importer.ActNow.String()},
		{s.ListedRows, "row needs", "rows need", " a person " + importer.Listed.String()},
		{s.Gone, "trip is booked and not", "trips are booked and not", " in the schedule any more"},
		{s.WaitingRows, "row waits", "rows wait", " for an answer"},
		{s.FixRows, "row needs", "rows need", " fixing"},
		{s.AgainRows, "row waits", "rows wait", " for another run"},
	} {
		if part.rows > 0 {
			said = append(said, importer.Counted(part.rows, part.one, part.many)+part.what)
		}
	}
	text := strings.Join(said, "; ")
	if s.Rehearsal {
		return "Rehearsal, nothing was booked: " + text + "."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (s *Summary) booked() string {
	created := s.Trips.counted(importer.Booked)
	updated := s.Trips.counted(importer.Changed)
	earlier := s.Trips.counted(importer.BookedEarlier)
	all := s.Trips.Sum - s.Trips.counted(importer.LeftOut)
	one, many, before := "trip is booked", "trips are booked", "booked"
	part := func(n int) string { return partOf(n, all, "trip", "trips") + " booked" }
	if s.Rehearsal {
		one, many, before = "trip would be booked", "trips would be booked", "rehearsed"
		part = func(n int) string {
			return fmt.Sprintf("%d of %s would be booked", n, importer.Counted(all, "trip", "trips"))
		}
	}

	switch {
	case all == 0:
		return "there is no trip to book"
	case earlier == all:
		return allOf(all, "trip was ", "trips were ") + before + " earlier, nothing was sent"
	}

	text := part(created + updated + earlier)
	if created+updated+earlier == all {
		text = allOf(all, one, many)
	}
	for _, some := range []struct {
		n    int
		what string
	}{{updated, "changed now"}, {earlier, "earlier"}} {
		switch {
		case some.n > 0 && all == 1:
			text += ", " + some.what
		case some.n > 0:
			text += fmt.Sprintf(", %d of them %s", some.n, some.what)
		}
	}
	return text
}

func (s *Summary) checked() string {
	ready := s.Rows.counted(importer.Ready, importer.BookedEarlier)
	all := s.Rows.Sum - s.Rows.counted(importer.LeftOut)
	switch {
	case all == 0:
		return "there is no row to book"
	case ready == all:
		return allOf(all, "row is", "rows are") + " ready, nothing was sent"
	}
	return partOf(ready, all, "row", "rows") + " ready, nothing was sent"
}

// partOf says how many of all there are, with the verb: 1 of 4 rows is, 2 of 4 rows are, 0 of 1 row is.
func partOf(n, all int, one, many string) string {
	return fmt.Sprintf("%d of %s %s", n, importer.Counted(all, one, many), noun(cmp.Or(n, all), "is", "are"))
}

func allOf(n int, one, many string) string {
	return noun(n, "the "+one, fmt.Sprintf("all %d %s", n, many))
}

// control says that the control total balances.
func (s *Summary) control() string {
	return fmt.Sprintf("control total: %s and %s read, each with one outcome",
		importer.Counted(s.Rows.Read, "row", "rows"), importer.Counted(s.Trips.Read, "trip", "trips"))
}
