package results

import (
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// typed gives a source cell's value as a workbook stores it and its number
// format: dates, times, numbers and booleans stay what they were. Everything
// else, and whatever can't be stored as it was, is a text, which no
// spreadsheet runs as a formula.
func typed(c importer.Cell) (value any, format string) {
	switch c.Type {
	case importer.Empty:
		return nil, c.Format
	case importer.Number:
		if v, err := strconv.ParseFloat(c.Text, 64); err == nil {
			return v, c.Format
		}
	case importer.Bool:
		return strings.EqualFold(c.Text, "true"), c.Format
	case importer.DateCell, importer.DateTimeCell:
		if v, ok := dateSerial(c.Text); ok {
			return v, orElse(c.Format, defaultFormat(c.Type))
		}
	case importer.TimeCell, importer.Duration:
		if v, ok := clockSerial(c.Text); ok {
			return v, orElse(c.Format, defaultFormat(c.Type))
		}
	default: // a text, or an error that only the spreadsheet itself can make
	}
	return c.Text, c.Format
}

func defaultFormat(t importer.CellType) string {
	switch t {
	case importer.DateCell:
		return "yyyy-mm-dd"
	case importer.DateTimeCell:
		return "yyyy-mm-dd hh:mm"
	case importer.Duration:
		return "[h]:mm:ss"
	default:
		return "hh:mm"
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// dateSerial gives the number by which a spreadsheet of the 1900 date system
// knows a date (2026-12-02) or a date and time (2026-12-02T08:30:00).
func dateSerial(text string) (float64, bool) {
	day, clock, timed := strings.Cut(text, "T")
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0, false
	}
	serial := float64(d.Unix()/86400 + 25569)
	if serial < 61 {
		// Before March 1900 the day that Excel invents, 29 February 1900, has
		// not been counted yet.
		serial--
	}
	if serial < 0 {
		return 0, false
	}
	if !timed {
		return serial, true
	}
	fraction, ok := clockSerial(clock)
	return serial + fraction, ok
}

// clockSerial gives a time of day, or an elapsed time of any length, in days.
func clockSerial(text string) (float64, bool) {
	negative := strings.HasPrefix(text, "-")
	parts := strings.Split(strings.TrimPrefix(text, "-"), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := 0.0
	for i, unit := range []float64{3600, 60, 1}[:len(parts)] {
		v, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || v < 0 {
			return 0, false
		}
		seconds += v * unit
	}
	if negative {
		seconds = -seconds
	}
	return seconds / 86400, true
}
