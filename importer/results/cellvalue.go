package results

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// cellValue returns a source cell's value as a workbook stores it, and its number format: dates, times,
// numbers and booleans keep their type. Everything else, and whatever can't be stored as it was, has no
// value: it is a text, which no spreadsheet runs as a formula. So is a number of more than the 15 digits that
// spreadsheets keep.
func cellValue(c importer.Cell) (value any, format string) {
	switch c.Type {
	case importer.Number:
		v, err := strconv.ParseFloat(c.Text, 64)
		if kept, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64); err == nil && v == kept && !math.IsInf(v, 0) {
			return v, c.Format
		}
	case importer.Bool:
		return strings.EqualFold(c.Text, "true"), c.Format
	case importer.DateCell, importer.DateTimeCell:
		if v, ok := dateOf(c.Text); ok {
			return v, cmp.Or(c.Format, defaultFormats[c.Type])
		}
	case importer.TimeCell, importer.Duration:
		if v, ok := timeOf(c.Text); ok {
			return v, cmp.Or(c.Format, defaultFormats[c.Type])
		}
	default: // a text, or an error that only the spreadsheet itself can make
	}
	return nil, c.Format
}

// defaultFormats are the number formats for dates and times that have none. It is never written to.
var defaultFormats = map[importer.CellType]string{
	importer.DateCell: "yyyy-mm-dd", importer.DateTimeCell: "yyyy-mm-dd hh:mm", importer.TimeCell: "hh:mm", importer.Duration: "[h]:mm:ss",
}

// dateOf returns a date (2026-12-02), or a date and time (2026-12-02T08:30:00). It reports false for a text that is
// neither, or before 1900, where the dates of a sheet begin.
func dateOf(text string) (time.Time, bool) {
	at, err := time.Parse("2006-01-02T15:04:05", text)
	if err != nil {
		at, err = time.Parse(time.DateOnly, text)
	}
	return at, err == nil && at.Year() >= 1900
}

// timeOf returns a time of day (08:30 or 08:30:00), or an elapsed time of any length.
func timeOf(text string) (time.Duration, bool) {
	hours, rest, ok := strings.Cut(text, ":")
	minutes, seconds, _ := strings.Cut(rest, ":")
	at, err := time.ParseDuration(hours + "h" + minutes + "m" + cmp.Or(seconds, "0") + "s")
	return at, ok && err == nil
}
