package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Counted returns a number with its noun in the singular or plural: "1 row", "3
// rows".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// TheFirst joins the texts of a list, of a long one the first.
func TheFirst(list []string, most int) string {
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}

// SpokenAt returns an instant for people, as the clock of its zone shows it: Wed Dec 2 08:30.
func SpokenAt(at time.Time) string { return at.Format("Mon Jan 2 15:04") }

// Spoken returns the date for people, with the day of the week: Wed Dec 2, 2026.
func (d Date) Spoken() string {
	return fmt.Sprintf("%s %s %d, %d", d.Weekday().String()[:3], d.Month.String()[:3], d.Day, d.Year)
}

// SpokenDates says for people how many trips the plan has on each of the first three
// days, then the number of further days, and the number of trips without a readable date
// or time.
func (p PlanSummary) SpokenDates() string {
	const shown = 3

	var parts []string
	for i, d := range p.Dates {
		if i == shown {
			parts = append(parts, Counted(len(p.Dates)-shown, "more day", "more days"))
			break
		}
		parts = append(parts, fmt.Sprintf("%d on %s", d.Trips, d.Date.Spoken()))
	}

	if p.Untimed > 0 {
		parts = append(parts, fmt.Sprintf("%d without a readable date or time", p.Untimed))
	}
	return cmp.Or(strings.Join(parts, ", "), "none to book")
}
