package propose

import (
	"fmt"
	"regexp"
	"slices"

	"tripimport/importer"
	"tripimport/mapping"
)

// read writes the read: settings that the file shows: the forms of dates and the
// meaningless texts. It asks for the order of dates if the file does not show it.
func (w *draft) read() {
	w.line("read:")
	forms, slashed := w.dateForms()
	switch {
	case slashed != nil:
		with := func(order string) string { return "  dates: " + oneOrList(append([]string{order}, forms...)) }
		w.ask(Question{
			Ask: "is 3/4/2026 the fourth of March?", Values: slashed,
			Choices: []Choice{{Text: "yes: the month comes first", line: with("mdy")}, {Text: "no: the day comes first", line: with("dmy")}},
		})
	case forms != nil:
		w.because("  dates: "+oneOrList(forms), "the values leave no other order")
	}
	switch {
	case w.p.HeaderRow == 0 && len(w.p.sheet.columns) > 0:
		w.line("  header: none")
	case w.p.HeaderRow > 0 && w.p.sheet.headers.HasGroups():
		w.line(fmt.Sprintf("  header: %d-%d", w.p.HeaderRow-1, w.p.HeaderRow))
	}
	if noise := w.noise(); noise != nil {
		w.line("  blank: " + quotedAll(noise))
	}
	if offset := w.offset(); offset != "" {
		w.askOffset(offset)
	}
}

// writtenOffset matches a time with an offset from UTC.
var writtenOffset = regexp.MustCompile(`\d:\d\d(?::\d\d(?:\.\d+)?)? ?(Z|[+-]\d\d(?::?\d\d)?)$`)

// offset returns an offset from UTC that the times of the trips have; empty if they have none.
func (w *draft) offset() string {
	for _, c := range w.columnsOf(importer.PickupTime, importer.DropoffAppt, mapping.FieldReturnTime) {
		for _, v := range c.distinct {
			if found := writtenOffset.FindStringSubmatch(v.text); found != nil {
				return found[1]
			}
		}
	}
	return ""
}

// askOffset asks what times with an offset mean. A program that writes UTC does not show the clock of
// the places, so then the zones come first.
func (w *draft) askOffset(offset string) {
	ask := fmt.Sprintf("times end in %s: is the time before it the one on the clock there?", offset)
	q := Question{Ask: ask, Choices: []Choice{{Text: "yes: it is taken as it is written", line: "  offsets: keep"}}}
	for _, zone := range []struct{ name, id string }{
		{"Eastern", "New_York"}, {"Central", "Chicago"}, {"Mountain", "Denver"}, {"Pacific", "Los_Angeles"},
	} {
		also := [2]string{versionLine, versionLine + "\nzone: America/" + zone.id}
		q.Choices = append(q.Choices, Choice{"no: it is turned into " + zone.name + " time", "  offsets: convert", also})
	}
	w.ask(q)
}

// slashDate matches 3/4/2026, with or without a weekday before it and a time after it.
var slashDate = regexp.MustCompile(`(?i)^(?:[a-z]{2,9},? )?(\d\d?)[/.-](\d\d?)[/.-]\d{2,4}(?: |$)`)

// compactDate matches 20261202.
var compactDate = regexp.MustCompile(`^20\d\d[01]\d[0-3]\d$`)

// serialDate matches a spreadsheet's count of days or its fraction of a day.
var serialDate = regexp.MustCompile(`^4\d{4}(\.\d+)?$|^0\.\d{3,}$`)

// dateForms returns how dates are written: the order of slash dates, which days above 12
// in any column of dates show, and dates without
// separators or as plain numbers. It also returns some slash dates of the used columns if their
// order does not show.
func (w *draft) dateForms() (forms, unordered []string) {
	timely := w.columnsOf(importer.FieldDate, importer.PickupTime, importer.DropoffAppt, mapping.FieldReturnTime)
	var all, used dateSigns
	asked := !w.p.has(importer.FieldDate) && w.withDay() == nil // which column has the day
	for _, c := range w.p.sheet.columns {
		if slices.Contains(timely, c) || asked && c.is(isDate) {
			used.addValues(c)
		} else if c.is(isDate) || c.is(isDateTime) {
			all.addValues(c)
		}
	}
	dayFirst, daySecond := used.dayFirst || all.dayFirst, used.daySecond || all.daySecond
	switch {
	case used.slashes == nil:
	case dayFirst == daySecond:
		unordered = used.slashes
	default:
		forms = append(forms, map[bool]string{true: "dmy", false: "mdy"}[dayFirst])
	}
	if used.compact {
		forms = append(forms, "YYYYMMDD")
	}
	if used.serials {
		forms = append(forms, "serial")
	}
	return forms, unordered
}

// dateSigns is what columns show about how dates are written.
type dateSigns struct {
	dayFirst, daySecond, compact, serials bool
	slashes                               []string // the first slash dates
}

func (d *dateSigns) addValues(c *column) {
	for _, v := range c.distinct {
		if parts := slashDate.FindStringSubmatch(v.text); parts != nil {
			if len(d.slashes) < 3 {
				d.slashes = append(d.slashes, v.text)
			}
			d.dayFirst, d.daySecond = d.dayFirst || above12(parts[1]), d.daySecond || above12(parts[2])
		}
		d.compact = d.compact || compactDate.MatchString(v.text)
		d.serials = d.serials || serialDate.MatchString(v.text)
	}
}

// noise returns the meaningless texts of the columns, such as // and *.
func (w *draft) noise() []string {
	var all []string
	for _, c := range w.p.sheet.columns {
		for _, text := range c.noise {
			if !slices.Contains(all, text) && len(all) < 5 {
				all = append(all, text)
			}
		}
	}
	return all
}

func above12(digits string) bool { return len(digits) == 2 && digits > "12" }
