package sheet_test

import (
	"strings"
	"testing"

	"tripimport/importer/sheet"

	"github.com/google/go-cmp/cmp"
)

func TestHTML(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		want          []string
	}{
		{
			"as Excel writes it", `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8"><style>td{mso-number-format:"\@"}</style></head>
			<body><table border=1><tr><th>Trip</th><th>Rider</th></tr><tr><td x:num="70411">70411</td><td>Odalys<br>Brennick&nbsp;&amp; son</td></tr></table></body></html>`,
			[]string{"1|Trip|Rider", "2|70411|Odalys\nBrennick & son"},
		},
		{
			"cells that span columns and rows", `<table><tr><th colspan=2>Pickup<th rowspan=2>Time</tr><tr><td>Street<td>City</tr><tr><td rowspan="2">12 Elm<td>Mesa<td>08:30</tr><tr><td>Tempe<td>09:15</tr></table>`,
			[]string{"1|Pickup||Time", "2|Street|City|", "3|12 Elm|Mesa|08:30", "4||Tempe|09:15"},
		},
		{
			"end tags left out, white space of the source", "<TABLE>\n<TR>\n <TD>a\n <TD>b   c\n<TR><TD> <TD>d</TABLE>",
			[]string{"1|a|b c", "2||d"},
		},
		{
			"blank rows keep their number", "<table><tr><td>a</table>" + strings.Repeat(" ", 10) + "<table><tr><td>a<td>b</tr><tr><td></td><td>&nbsp;</td></tr><tr><td>c<td>d</tr></table>",
			[]string{"1|a|b", "3|c|d"},
		},
		{
			"a table inside a cell", `<table><tr><td><table><tr><td>Trip<td>Rider<tr><td>1<td>A</table></td></tr></table>`,
			[]string{"1|Trip|Rider", "2|1|A"},
		},
		{"references are resolved once", `<table><tr><td>&lt;b&gt; &amp;lt; &amp;amp;<td>A &#38; B</table>`, []string{"1|<b> &lt; &amp;|A & B"}},
		{"scripts and styles are no text", `<table><tr><td><script>var x = "<td>"</script>a<td>b</table>`, []string{"1|a|b"}},
		{
			"head and foot of the table", `<table><caption>Trips</caption><thead><tr><th>a<th>b</thead><tbody><tr><td>1<td>2</tbody><tfoot><tr><td colspan=2>Total: 1</tfoot></table>`,
			[]string{"1|a|b", "2|1|2", "3|Total: 1|"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, "trips.xls", []byte(tt.content), sheet.Options{})
			for range 2 {
				got, err := lines(f)
				check(t, err)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			}
			if f.Kind() != "html table" || !strings.HasPrefix(f.SheetName(), "Table ") {
				t.Errorf("%s, sheet %q", f.Kind(), f.SheetName())
			}
		})
	}
}

// TestHTMLEncoding holds that a page may say its own encoding.
func TestHTMLEncoding(t *testing.T) {
	f := open(t, "trips.xls", []byte("<html><head><meta http-equiv=Content-Type content=\"text/html; charset=windows-1251\"></head><table><tr><td>\xcc\xe8\xf0</table>"), sheet.Options{})
	got, err := lines(f)
	check(t, err)
	if diff := cmp.Diff([]string{"1|Мир"}, got); diff != "" || f.Encoding() != "windows-1251" {
		t.Errorf("%s: %s", f.Encoding(), diff)
	}
}
