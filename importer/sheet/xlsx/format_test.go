package xlsx

import (
	"fmt"
	"testing"

	"tripimport/importer"
)

// shown returns the type and the text of a number in a cell of the format.
func shown(code, raw string, date1904 bool) string {
	text, t, ok := numberText([]byte(raw), parseFormat(code), date1904)
	if !ok {
		return "no number"
	}
	return fmt.Sprintf("%s %s", t, text)
}

func TestFormats(t *testing.T) {
	for _, tt := range []struct{ code, raw, want string }{
		// Days, with and without a time that the format hides.
		{"m/d/yyyy", "46358", "date 2026-12-02"},
		{"m/d/yyyy", "46358.354166666664", "datetime 2026-12-02T08:30:00"},
		{"m/d/yyyy h:mm", "46358", "datetime 2026-12-02T00:00:00"},
		{"mm/dd/yyyy\\ hh:mm:ss AM/PM", "46358.354166666664", "datetime 2026-12-02T08:30:00"},
		{`[$-409]dddd\,\ mmmm\ d\,\ yyyy;@`, "46358", "date 2026-12-02"},
		{"[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "46358", "date 2026-12-02"},
		{"d-mmm", "46358", "date 2026-12-02"},
		{"mmmmm", "46358", "date 2026-12-02"},
		{"yyyy", "46358", "date 2026-12-02"},
		{"[Red]m/d/yy", "46358", "date 2026-12-02"},
		{`"day "d`, "46358", "date 2026-12-02"},
		// m is a minute after hours or before seconds, else a month.
		{"m", "46358", "date 2026-12-02"},
		{"mm:ss", "0.5", "time 12:00:00"},
		{"h:mm", "0.354166666666667", "time 08:30:00"},
		{"hh\"h\"mm", "0.354166666666667", "time 08:30:00"},
		{"h:mm:ss", "0.99998842592592593", "time 23:59:59"},
		{"m/d h", "46358.5", "datetime 2026-12-02T12:00:00"},
		{"h AM/PM", "0.5", "time 12:00:00"},
		{"A/P", "0.5", "time 12:00:00"},
		// A time of day keeps a day that its format hides.
		{"h:mm", "46358.354166666664", "datetime 2026-12-02T08:30:00"},
		{"h:mm", "1.5", "time 12:00:00"},
		{"h:mm", "0", "time 00:00:00"},
		{"m/d/yyyy h:mm", "0.25", "time 06:00:00"},
		// Times are rounded to the second.
		{"h:mm:ss", "0.3541666", "time 08:30:00"},
		{"mm:ss.0", "0.354172453703704", "time 08:30:01"},
		{"h:mm:ss.000", "0.354166678240741", "time 08:30:00"},
		{"m/d/yyyy h:mm", "46357.999999999", "datetime 2026-12-02T00:00:00"},
		// Elapsed times may pass a day.
		{"[h]:mm", "1.09375", "duration 26:15:00"},
		{"[hh]:mm:ss", "10.632060185185185", "duration 255:10:10"},
		{"[mm]:ss", "0.5", "duration 12:00:00"},
		{"[=0]?;[<4.16][hh]:mm:ss;[hh]:mm", "0.0208333333333333", "duration 00:30:00"},
		{"[=0]?;[<4.16][hh]:mm:ss;[hh]:mm", "0", "duration 00:00:00"},
		// Numbers that are no dates: negative, too late, the days of early 1900.
		{"m/d/yyyy", "-1", "number -1"},
		{"m/d/yyyy", "2958465", "date 9999-12-31"},
		{"m/d/yyyy", "2958466", "number 2958466"},
		{"m/d/yyyy", "60", "number 60"},
		{"m/d/yyyy", "61", "date 1900-03-01"},
		{"m/d/yyyy", "0", "number 0"},
		// Leading zeros as the cell shows them.
		{"00000", "6083", "number 06083"},
		{"00000", "106083", "number 106083"},
		{"00000", "-83", "number -00083"},
		{"00000-0000", "21450012", "number 02145-0012"},
		{"000-00-0000", "1234567", "number 001-23-4567"},
		{"(000) 000-0000", "3135550111", "number (313) 555-0111"},
		{`00\:00`, "830", "number 08:30"},
		{`"TX-"00000`, "417", "number TX-00417"},
		{"0000", "830", "number 0830"},
		{"00.00", "5.5", "number 5.5"},
		{"[<=99999]00000;00000-0000", "2145", "number 02145"},
		{"[<=99999]00000;00000-0000", "21450012", "number 02145-0012"},
		{"00000;-00000", "83", "number 00083"},
		{"00000;-00000", "-83", "number -00083"},
		{"00000;[Red](00000)", "-83", "number -00083"},
		{`_€00000\€*é`, "83", "number 00083€"},
		{"00", "0", "number 00"},
		{"#000", "7", "number 7"},
		// Formats without leading zeros: the shortest form.
		{"0", "7", "number 7"},
		{"0.00", "4.50", "number 4.5"},
		{"#,##0", "12345", "number 12345"},
		{"0.00E+00", "12345", "number 12345"},
		{"##0.0E+0", "12345", "number 12345"},
		{"00%", "0.5", "number 0.5"},
		{"# ?/?", "0.5", "number 0.5"},
		{"###-####", "5550111", "number 5550111"},
		{"[<=9999999]###-####;(###) ###-####", "3135550111", "number 3135550111"},
		{`_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)`, "12", "number 12"},
		{";;;", "12", "number 12"},
		{"@", "6083", "number 6083"},
		{`"mdy"0`, "3", "number 3"},
		{`\d0`, "3", "number 3"},
		{"General", "0.1", "number 0.1"},
		{`General" mi"`, "2", "number 2"},
		{`[Blue]General`, "2", "number 2"},
		// Quoted text is not part of the format.
		{`"50% "00`, "7", "number 7"},
		{`"AM/PM "0000`, "7", "number AM/PM 0007"},
		{`"General "0000`, "7", "number General 0007"},
		{`00000"; "`, "83", "number 00083"},
		{`"# "000`, "7", "number # 007"},
		// Codes that other parsers take wrong.
		{"0.00E-00", "46358", "number 46358"},
		{"h:mm:ss.000AM/PM", "0.354172453703704", "time 08:30:01"},
		{"[> 1000]0000;000", "7", "number 0007"},
		{"[GREY]0000", "7", "number 0007"},
		{`000\ `, "7", "number 007 "},
		{`"unclosed`, "2", "number 2"},
		{`[unclosed`, "2", "number 2"},
		{`\`, "2", "number 2"},
	} {
		if got := shown(tt.code, tt.raw, false); got != tt.want {
			t.Errorf("%s in %q: got %s, want %s", tt.raw, tt.code, got, tt.want)
		}
	}
}

func TestFormats1904(t *testing.T) {
	for _, tt := range []struct{ code, raw, want string }{
		{"m/d/yyyy", "44896", "date 2026-12-02"},
		{"m/d/yyyy h:mm", "44896.354166666664", "datetime 2026-12-02T08:30:00"},
		{"h:mm", "0.25", "time 06:00:00"},
		{"m/d/yyyy", "1", "date 1904-01-02"},
		{"m/d/yyyy", "2957003", "date 9999-12-31"},
		{"m/d/yyyy", "2957004", "number 2957004"},
		{"[hh]:mm:ss", "10.632060185185185", "duration 255:10:10"},
	} {
		if got := shown(tt.code, tt.raw, true); got != tt.want {
			t.Errorf("%s in %q: got %s, want %s", tt.raw, tt.code, got, tt.want)
		}
	}
}

// TestBuiltinFormats checks the formats that workbooks use by id alone.
func TestBuiltinFormats(t *testing.T) {
	for _, tt := range []struct {
		id   int
		want importer.CellType
	}{
		{0, importer.Number},
		{1, importer.Number},
		{4, importer.Number},
		{9, importer.Number},
		{11, importer.Number},
		{14, importer.DateTimeCell},
		{15, importer.DateTimeCell},
		{16, importer.DateTimeCell},
		{17, importer.DateTimeCell},
		{18, importer.DateTimeCell},
		{22, importer.DateTimeCell},
		{37, importer.Number},
		{44, importer.Number},
		{46, importer.Duration},
		{47, importer.DateTimeCell},
		{48, importer.Number},
		{49, importer.Number},
		{163, importer.Number},
	} {
		_, got, ok := numberText([]byte("46358.25"), parseFormat(builtin()[tt.id]), false)
		if !ok || got != tt.want {
			t.Errorf("format %d: got %s, want %s", tt.id, got, tt.want)
		}
	}
}
