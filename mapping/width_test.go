package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// measured binds the mapping to a file whose first row has the headers, and reads
// it to its end as a run does.
func measured(t testing.TB, m *Mapping, rows []importer.Row) *Bound {
	t.Helper()
	b := bind(t, m, rows)
	err := b.Measure(func(yield func(importer.Row, error) bool) {
		for _, row := range rows[1:] {
			if !yield(row, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// withField inserts a field before the column. withoutComma joins the column with
// the next one, as if a comma was lost.
func withField(row importer.Row, col int, cell importer.Cell) importer.Row {
	row.Cells, row.Width = slices.Insert(slices.Clone(row.Cells), col-1, cell), row.Width+1
	return row
}

func withoutComma(row importer.Row, col int) importer.Row {
	row = row.Clone()
	row.Cells[col-1].Text = strings.TrimSpace(row.Cells[col-1].Text + " " + row.Cells[col].Text)
	if row.Cells[col-1].Text != "" {
		row.Cells[col-1].Type = importer.Text
	}
	row.Cells, row.Width = slices.Delete(row.Cells, col, col+1), row.Width-1
	return row
}

// TestNoShiftedRowPasses adds a comma at every place of every row of each layout's
// export, and removes each comma. Whatever the cells say then, the row has a fault
// and is not left out.
func TestNoShiftedRowPasses(t *testing.T) {
	surplus := []importer.Cell{{}, {Type: importer.Text, Text: "Cancelled"}}
	for _, name := range mappingtest.Layouts() {
		t.Run(name, func(t *testing.T) {
			m, rows := decided(t, name), mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv")
			wrong := func(what string, at int, shifted importer.Row) {
				t.Helper()
				file := slices.Clone(rows)
				file[at] = shifted
				mapped := measured(t, m, file).Map(shifted, nil)
				if mapped.LeftOut != "" || !importer.Faulty(mapped.Problems) {
					t.Errorf("row %d, %s: left out: %q, problems %v", at, what, mapped.LeftOut, mapped.Problems)
				}
			}
			for at := 1; at < len(rows); at++ {
				for col := 1; col <= rows[at].Width; col++ {
					for _, cell := range surplus {
						wrong(fmt.Sprintf("%q more before column %d", cell.Text, col), at, withField(rows[at], col, cell))
					}
					// A blank last field that is left out shifts nothing.
					last := rows[at].Cell(rows[at].Width)
					if col < rows[at].Width-1 || col < rows[at].Width && last.Type != importer.Empty {
						wrong(fmt.Sprintf("no comma behind column %d", col), at, withoutComma(rows[at], col))
					}
				}
			}
		})
	}
}

// TestWidthsOfWholeFiles checks that a width which a program gives every row is
// accepted, and that one damaged row is not.
func TestWidthsOfWholeFiles(t *testing.T) {
	const text = `
mapping: 1
broker: widths
skip:
  no status: {column: Status, is: HOLD}
cancelled:
  cancelled: {column: Status, is: CANCELED}
trip:
  provider: {const: P}
  funding_source: {const: F}
  trip_id: Trip
  rider_id: Rider
  space_type: {const: AMB}
`
	tests := []struct {
		name, csv string
		want      string // of each row: + to be booked, - left out, x cancelled, ! ragged
	}{
		{"as wide as the headers", "Trip,Rider,Status\n1,R,\n2,R,CANCELED\n3,R,HOLD\n", "+ x -"},
		{"a comma behind every row", "Trip,Rider,Status\n1,R,,\n2,R,CANCELED,\n3,R,HOLD,\n", "+ x -"},
		{"a comma behind the only row", "Trip,Rider,Status\n1,R,,\n", "+"},
		{"a comma behind cancelled rows alone", "Trip,Rider,Status\n1,R,CANCELED,\n2,R,CANCELED,\n", "x x"},
		{"three of them", "Trip,Rider,Status\n1,R,,,,\n2,R,,,,\n", "+ +"},
		{"also behind the headers", "Trip,Rider,Status,\n1,R,,\n2,R,CANCELED,\n", "+ x"},
		{"behind the headers alone", "Trip,Rider,Status,\n1,R,\n2,R,CANCELED\n", "+ x"},
		{"with the headers again", "Trip,Rider,Status\n1,R,,\nTrip,Rider,Status\n2,R,,\n", "+ - +"},
		{"a column without a name that is filled", "Trip,Rider,Status,\n1,R,,x\n2,R,,y\n", "+ +"},
		{"blank columns that nobody needs are left out", "Trip,Rider,Status,Notes,More\n1,R,CANCELED\n2,R,HOLD\n", "x -"},
		{"blank columns left out behind the last filled one", "Trip,Rider,Status,Notes,More\n1,R,CANCELED,,\n2,R,HOLD\n3,R,HOLD,,\n", "x - -"},

		{"a comma behind one row", "Trip,Rider,Status\n1,R,,\n2,R,\n3,R,\n", "! + +"},
		{"a name with a comma in the only row", "Trip,Rider,Status\n1,Doe,HOLD,\n", "!"},
		{"a name with a comma in three of four rows", "Trip,Rider,Status\n1,Doe,HOLD,\n2,Doe,HOLD,\n3,Doe,CANCELED,\n4,R,\n", "! ! ! +"},
		{"a name with a comma", "Trip,Rider,Status\n1,Doe,HOLD,\n2,R,\n", "! +"},
		{"a name with a comma in a file with surplus commas", "Trip,Rider,Status\n1,Doe,HOLD,,\n2,R,,\n3,R,,\n4,R,,\n", "! ! ! !"},
		{"a comma lost in a file with surplus commas", "Trip,Rider,Status\n1 R,HOLD,\n2,R,,\n3,R,,\n4,R,,\n", "! ! ! !"},
		{"a comma lost", "Trip,Rider,Status\n1 R,CANCELED\n2,R,\n3,R,\n", "! + +"},
		{"a comma lost, and a blank column that nobody needs", "Trip,Rider,Status,Notes\n1 R,CANCELED,\n2,R,,\n3,R,,\n", "! + +"},
		{"surplus fields, one of them filled", "Trip,Rider,Status\n1,R,,\n2,R,,x\n", "! !"},
		{"missing columns that a rule reads", "Trip,Rider,Status\n1,R\n2,R\n", "! !"},
		{"a missing column that is filled in another row", "Trip,Rider,Status,Notes\n1,R,HOLD\n2,R,HOLD,x\n", "! -"},
		{"half a line", "Trip,Rider,Notes,Status\n1,R,,\n2\n", "+ !"},
		{"half a line that says cancelled", "Trip,Status,Rider,Notes\n1,,R,\n2,CANCELED\n", "+ !"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Parse("widths.yaml", []byte(text), nil)
			if err != nil {
				t.Fatal(err)
			}
			rows := mappingtest.Rows(t, "widths.csv", tt.csv)
			b := measured(t, m, rows)
			var got []string
			for _, row := range rows[1:] {
				mapped, mark := b.Map(row, nil), "+"
				switch {
				case mapped.Cancelled:
					mark = "x"
				case mapped.LeftOut != "":
					mark = "-"
				case slices.ContainsFunc(mapped.Problems, func(p importer.Problem) bool { return p.Code == "row-ragged" }):
					mark = "!"
				}
				got = append(got, mark)

				// Read alone, as from results that were fixed, the row is the same.
				if again := bind(t, m, rows[:1]).Map(mapped.Row, nil); mark != "!" && again.LeftOut != mapped.LeftOut {
					t.Errorf("row %d: %q, and %q when it comes back", row.Num, mapped.LeftOut, again.LeftOut)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Excel leaves out the delimiters behind the last filled column of 16 rows at a time. A
// row that has lost a comma is a fault there too, and so is a short row among the first.
func TestBlocksOfExcel(t *testing.T) {
	m := decided(t, "plain")
	rows := mappingtest.ReadCSV(t, "../testdata/schedule.csv")[:60]
	width := rows[0].Width
	short := width - 1
	for i := range rows {
		rows[i].Shown = i + 1
		if i >= blockRows {
			rows[i].Cells, rows[i].Width = rows[i].Cells[:short:short], short
		}
	}

	b := measured(t, m, rows)
	for i, row := range rows[1:] {
		if b.isRagged(row) {
			t.Errorf("row %d is ragged", i+2)
		}
	}
	for _, at := range []int{5, 30} {
		file := slices.Clone(rows)
		file[at] = withoutComma(rows[at], 3)
		if b := measured(t, m, file); !b.isRagged(file[at]) {
			t.Errorf("row %d without a comma is not ragged", at+1)
		}
	}
}
