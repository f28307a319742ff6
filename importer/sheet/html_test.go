package sheet_test

import (
	"strings"
	"testing"

	"tripimport/importer"
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

// TestHTMLBounds checks that a hostile page is refused before it takes memory or
// time without bounds.
func TestHTMLBounds(t *testing.T) {
	for _, tt := range []struct{ name, content, want string }{
		{"text of a cell", "<table><tr><td>" + strings.Repeat("<b>"+strings.Repeat("x", 1<<20)+"</b>", 17), "more text than a spreadsheet can hold"},
		{"text of a row", "<table><tr>" + strings.Repeat("<td>"+strings.Repeat("x", 1<<20), 17), "more text than a spreadsheet can hold"},
		{"text of rows that nest", strings.Repeat("<table><tr><td>"+strings.Repeat("x", 1<<20), 17), "more text than a spreadsheet can hold"},
		{"line breaks", "<table><tr><td>x" + strings.Repeat("<br>", 17<<20), "more text than a spreadsheet can hold"},
		{"one piece of text", "<table><tr><td>" + strings.Repeat("x", 5<<20), "can't be read"},
		{"one tag", "<table><tr><td " + strings.Repeat("x ", 3<<20), "can't be read"},
		{"columns", "<table><tr>" + strings.Repeat("<td colspan=1000>", 17) + "</tr>", "larger than a spreadsheet can hold"},
		{"rows", "<table>" + strings.Repeat("<tr><td>x", importer.MaxRows+2), "larger than a spreadsheet can hold"},
		{"tables within tables", strings.Repeat("<table><tr><td>", 65), "tables inside tables"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := sheet.Open(write(t, "trips.xls", []byte(tt.content)), sheet.Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}

	// The bound is on a row, and white space before line breaks takes no time.
	content := "<table>" + strings.Repeat("<tr><td>"+strings.Repeat("x", 1<<20)+"</td></tr>", 17) +
		"<tr><td>" + strings.Repeat(" ", 1<<20) + strings.Repeat("<br>", 100_000) + "end</table>"
	got, err := lines(open(t, "trips.xls", []byte(content), sheet.Options{}))
	check(t, err)
	if len(got) != 18 || got[17] != "18|end" {
		t.Errorf("got %d rows", len(got))
	}
}

// TestHTMLEncoding checks that a page can name its own encoding.
func TestHTMLEncoding(t *testing.T) {
	f := open(t, "trips.xls", []byte("<html><head><meta http-equiv=Content-Type content=\"text/html; charset=windows-1251\"></head><table><tr><td>\xcc\xe8\xf0</table>"), sheet.Options{})
	got, err := lines(f)
	check(t, err)
	if diff := cmp.Diff([]string{"1|Мир"}, got); diff != "" || f.Encoding() != "windows-1251" {
		t.Errorf("%s: %s", f.Encoding(), diff)
	}
}

// A table is chosen by its name; without one the largest is read.
func TestTablesOfAPage(t *testing.T) {
	page := []byte("<table></table><table><tr><td>a</td></tr></table><p>then</p><table><tr><td>b</td><td>c</td></tr></table>")
	for want, name := range map[string]string{"Table 2": "table 2", "Table 3": ""} {
		f := open(t, "page.xls", page, sheet.Options{Sheet: name})
		if diff := cmp.Diff([]string{"Table 2", "Table 3"}, f.Tables()); diff != "" {
			t.Error(diff)
		}
		if f.SheetName() != want {
			t.Errorf("%q gives %s, want %s", name, f.SheetName(), want)
		}
	}
}
