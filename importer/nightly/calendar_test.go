package nightly

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
)

// at returns the instant at which clocks in the zone show a time.
func at(t *testing.T, zone *time.Location, text string) time.Time {
	t.Helper()
	when, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// spoken lists slots with their days of service.
func spoken(all []dueSlot) string {
	var lines []string
	for _, d := range all {
		lines = append(lines, fmt.Sprint(d.id, " ", d.days))
	}
	return strings.Join(lines, "; ")
}

func TestServiceDays(t *testing.T) {
	c, err := load(t, office)
	if err != nil {
		t.Fatal(err)
	}
	main, both := c.Slots[1], c.Slots[3]
	for _, test := range []struct {
		slot     Slot
		on, want string
	}{
		{main, "2026-12-01", "[2026-12-02]"},
		{main, "2026-12-04", "[2026-12-05 2026-12-06 2026-12-07]"}, // Friday
		{main, "2026-12-05", "[]"},
		{main, "2026-12-06", "[]"},
		{main, "2026-12-24", "[2026-12-26 2026-12-27 2026-12-28]"}, // a date comes before its weekday
		{main, "2026-12-25", "[]"},
		{main, "2026-12-31", "[2027-01-01]"},
		{both, "2026-12-01", "[2026-12-01 2026-12-02]"},
		{both, "2026-12-25", "[2026-12-25]"},
	} {
		on, err := importer.ParseDate(test.on)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.serviceDays(test.slot, on)); got != test.want {
			t.Errorf("%s: %s, want %s", test.on, got, test.want)
		}
	}
}

// TestSeenBy: what a night lists is seen on the next working day; what is listed while people are at
// work, by them.
func TestSeenBy(t *testing.T) {
	c, err := load(t, office)
	if err != nil {
		t.Fatal(err)
	}
	for now, want := range map[string]string{
		"2026-12-01 21:30": "2026-12-02 09:30",
		"2026-12-02 04:30": "2026-12-02 09:30",
		"2026-12-02 09:30": "2026-12-02 12:30", // at work
		"2026-12-02 13:00": "2026-12-02 16:00",
		"2026-12-02 17:30": "2026-12-03 09:30",
		"2026-12-04 21:30": "2026-12-07 09:30", // Friday evening
		"2026-12-06 13:00": "2026-12-07 09:30", // nobody works on Sunday
		"2026-12-24 21:30": "2026-12-28 09:30", // the evening of the 25th is for no day, then comes a weekend
	} {
		if got := c.seenBy(at(t, c.Zone, now)); !got.Equal(at(t, c.Zone, want)) {
			t.Errorf("%s: %s, want %s", now, got, want)
		}
	}
}

// TestDayOfSlotStays crosses midnight in the office's zone and in UTC: a slot keeps its
// days of service however late it is asked.
func TestDayOfSlotStays(t *testing.T) {
	for _, name := range []string{"Etc/UTC", "America/New_York"} {
		c, err := load(t, strings.Replace(office, "America/New_York", name, 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, now := range []string{"2026-12-01 21:30", "2026-12-01 23:59", "2026-12-02 00:00", "2026-12-02 04:29"} {
			when := at(t, c.Zone, now).UTC()
			all, _ := c.due(when)
			if last := spoken(all[len(all)-1:]); last != "2026-12-01T21:30 import [2026-12-02]" {
				t.Errorf("%s at %s: %s", name, now, last)
			}
		}
		all, _ := c.due(at(t, c.Zone, "2026-12-01 21:29"))
		if last := spoken(all[len(all)-1:]); last != "2026-12-01T16:30 check [2026-12-02]" {
			t.Errorf("%s before the slot: %s", name, last)
		}
		if _, next := c.due(at(t, c.Zone, "2026-12-05 13:00")); next[0].id != "2026-12-05T21:30 import" {
			t.Errorf("%s: the next is %s", name, next[0].id)
		}
	}
}

// TestDaylightSaving shows that each slot is due once in the nights in which clocks change, even
// in the hour that is skipped and in the one that comes twice.
func TestDaylightSaving(t *testing.T) {
	text := strings.Replace(office, `{at: "04:30", do: import, optional: true}`, "{at: \"01:30\", do: import, optional: true}\n    - {at: \"02:30\", do: import, optional: true}", 1)
	c, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, night := range []string{"2027-03-14", "2026-11-01", "2026-12-02"} {
		seen := map[string]int{}
		var before []string
		for now := at(t, c.Zone, night+" 00:00"); now.Before(at(t, c.Zone, night+" 12:00")); now = now.Add(5 * time.Minute) {
			started, _ := c.due(now)
			for _, d := range started {
				if seen[d.id] == 0 && strings.HasPrefix(d.id, night) {
					before = append(before, d.id[11:16])
				}
				seen[d.id]++
			}
		}
		if got := strings.Join(before, " "); got != "01:30 02:30" && got != "02:30 01:30" {
			t.Errorf("%s: due were %s", night, got)
		}
	}
}

// TestDueAndLastCall shows that the due time and the last call are at or after their slot.
func TestDueAndLastCall(t *testing.T) {
	c, err := load(t, office)
	if err != nil {
		t.Fatal(err)
	}
	c.Days = nil // clocks change in nights from Saturday to Sunday
	for _, date := range []string{"2026-12-01", "2027-03-13", "2026-10-31"} {
		on, _ := importer.ParseDate(date)
		d := c.dueOn(c.Slots[1], on)
		if got := c.onOrAfter(&d, c.Brokers[0].Due); !got.Equal(at(t, c.Zone, date+" 22:30")) {
			t.Errorf("%s is late at %s", date, got)
		}
		if got := c.onOrAfter(&d, c.Brokers[0].LastCall); !got.Equal(at(t, c.Zone, on.AddDays(1).String()+" 05:00")) || !d.end.Equal(got) {
			t.Errorf("%s has its last call at %s", date, got)
		}
	}
	d := c.dueOn(c.Slots[2], importer.Date{Year: 2026, Month: 12, Day: 2})
	if !d.end.Equal(at(t, c.Zone, "2026-12-02 13:00")) {
		t.Errorf("an optional import ends at %s", d.end)
	}
}
