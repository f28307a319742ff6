package nightly

import (
	"slices"
	"testing"

	"tripimport/importer"
	"tripimport/importer/app"
)

// TestSentBy tells whose schedule somebody has imported.
func TestSentBy(t *testing.T) {
	c := &Config{Brokers: []Broker{
		{Name: "Lake", Files: "lake*.csv", Mapping: "two.yaml"}, {Name: "Prairie", Files: "prairie*.csv", Mapping: "two.yaml"}, {Name: "Alone", Files: "a*.csv", Mapping: "one.yaml"},
	}}
	for _, test := range []struct {
		broker int
		file   app.ImportedSchedule
		want   bool
	}{
		{0, app.ImportedSchedule{Arrival: importer.Arrival{Name: "Lake-2.csv", Whole: true}}, true},
		{1, app.ImportedSchedule{Arrival: importer.Arrival{Name: "lake-2.csv", Whole: true}}, false},
		{0, app.ImportedSchedule{Arrival: importer.Arrival{Name: "mailed.csv", Whole: true}}, false}, // it may be that of the other one
		{2, app.ImportedSchedule{Arrival: importer.Arrival{Name: "mailed.csv", Whole: true}}, true},
		{2, app.ImportedSchedule{Arrival: importer.Arrival{Name: "mailed.csv"}}, false},
		{2, app.ImportedSchedule{Arrival: importer.Arrival{Name: "a-1.csv"}}, true}, // the broker's files may lack trips
		{2, app.ImportedSchedule{Arrival: importer.Arrival{Name: "a-1.csv"}, Part: true}, false},
	} {
		if got := c.sentBy(&c.Brokers[test.broker], &test.file); got != test.want {
			t.Errorf("%s of %s: %t, want %t", test.file.Name, c.Brokers[test.broker].Name, got, test.want)
		}
	}
}

// TestStatusOfEarlierSlot has a schedule that came in the afternoon: the status of the evening's slot does not say that none
// was taken.
func TestStatusOfEarlierSlot(t *testing.T) {
	o := newOffice(t)
	o.drop("lakeshore.csv", "12/2/2026", ids("a", 12)...)
	o.wakes("2026-12-01 13:00", "2026-12-01 13:10")
	o.wakes("2026-12-01 21:30", "2026-12-01 22:30")
	lines, err := o.awake().Status(t.Context())
	o.must(err)
	if !slices.Contains(lines, "    Lakeshore: its schedule was imported before, at 13:00") || slices.Contains(lines, "    Lakeshore: no schedule was taken yet") {
		t.Errorf("the status is %q", lines)
	}
	o.wantMails("list 0 · 12 booked")
}
