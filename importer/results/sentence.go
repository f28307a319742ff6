package results

import (
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
	updated, earlier := s.Trips.counted(importer.Changed), s.Trips.counted(importer.BookedEarlier)
	in, all := s.Trips.counted(importer.Booked)+updated+earlier, s.Trips.Sum-s.Trips.counted(importer.LeftOut)
	switch {
	case all == 0:
		return "there is no trip to book"
	case earlier == all && !s.Rehearsal:
		return partOf(all, all, "trip was", "trips were") + " booked earlier, nothing was sent"
	}
	text := partOf(in, all, "trip is", "trips are") + " booked"
	if s.Rehearsal {
		text = partOf(in, all, "trip", "trips") + " would be booked"
	}
	if updated > 0 {
		text += fmt.Sprintf(", %d changed now", updated)
	}
	if earlier > 0 {
		text += fmt.Sprintf(", %d of them earlier", earlier)
	}
	return text
}

func (s *Summary) checked() string {
	ready, all := s.Rows.counted(importer.Ready, importer.BookedEarlier), s.Rows.Sum-s.Rows.counted(importer.LeftOut)
	if all == 0 {
		return "there is no row to book"
	}
	return partOf(ready, all, "row is", "rows are") + " ready, nothing was sent"
}

// partOf says how many of all there are: the trip is, all 4 trips are, 2 of 4 trips are.
func partOf(n, all int, one, many string) string {
	switch {
	case n < all:
		return fmt.Sprintf("%d of %s", n, importer.Counted(all, one, many))
	case all == 1:
		return "the " + one
	}
	return fmt.Sprintf("all %d %s", all, many)
}

// control says that the control total balances.
func (s *Summary) control() string {
	return fmt.Sprintf("control total: %s and %s read, each with one outcome",
		importer.Counted(s.Rows.Read, "row", "rows"), importer.Counted(s.Trips.Read, "trip", "trips"))
}
