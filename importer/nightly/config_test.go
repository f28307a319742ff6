package nightly

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer"
)

// office is a block with every key.
const office = `base_url: https://trips.example
nightly:
  zone: America/New_York
  slots:
    - {at: "16:30", do: check}
    - {at: "21:30", do: import}
    - {at: "04:30", do: import, optional: true}
    - {at: "13:00", do: import, optional: true}
  days: {fri: [sat, sun, mon], sat: [], sun: [], 2026-12-24: [sat, sun, mon], 2026-12-25: []}
  # no service on 2026-12-25
  seen_by: "09:30"
  brokers:
    - name: Lakeshore
      inbox: /srv/office/in
      files: "lakeshore_*.csv"
      mapping: /srv/office/lakeshore.yaml
      due: "22:30"
      last_call: "05:00"
  results: /srv/office/results
  done: /srv/office/done
  backup: /mnt/backup
  mail: {host: "mail.example:465", from: trips@office.example, to: [lead@office.example], user: trips, password_file: /etc/tripimport/mail}
  ping: https://hc.example/abc
`

// load loads a block whose paths are full ones: on Windows they are given a drive.
func load(t *testing.T, text string) (*Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tripimport.yaml")
	text = strings.ReplaceAll(text, ": /", ": "+filepath.VolumeName(path)+"/")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, found, err := Load(path)
	if !found {
		t.Fatal("the block is not found")
	}
	return c, err
}

func TestLoad(t *testing.T) {
	c, err := load(t, office)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Slots) != 4 || !c.Slots[0].checks() || !c.Slots[1].main() || c.Slots[2].main() || c.SeenBy != (importer.TimeOfDay{Hour: 9, Minute: 30}) {
		t.Errorf("slots: %+v", c.Slots)
	}
	b := c.Brokers[0]
	if b.Name != "Lakeshore" || b.Due != (importer.TimeOfDay{Hour: 22, Minute: 30}) || b.LastCall.Hour != 5 {
		t.Errorf("broker: %+v", b)
	}
	if got := c.Days["fri"]; len(got) != 3 || got[2] != "mon" || c.Mail.Host != "mail.example:465" || c.Sender == nil || c.Ping == nil {
		t.Errorf("days %v, mail %+v", got, c.Mail)
	}
}

// TestCapitalsInDays shows that weekdays may be written with capitals.
func TestCapitalsInDays(t *testing.T) {
	c, err := load(t, strings.Replace(office, "fri: [sat, sun, mon]", "Fri: [Sat, SUN, Mon]", 1))
	if err != nil {
		t.Fatal(err)
	}
	if days := c.daysAfter(importer.Date{Year: 2026, Month: 12, Day: 4}); len(days) != 3 || days[2].String() != "2026-12-07" {
		t.Errorf("the evening of a Friday is for %v", days)
	}
}

// TestLoadFaults shows that each fault is named with its line, and that the block
// without it is taken.
func TestLoadFaults(t *testing.T) {
	for _, test := range []struct{ was, is, want string }{
		{"zone: America/New_York", "zone: Chicago", ":3: zone takes the name"},
		{"zone: America/New_York", "zone: Local", ":3: zone takes"},
		{"zone: America/New_York", "zone: EST", ":3: zone takes"}, // it knows no summer
		{`{at: "16:30", do: check}`, `{at: "4:30pm", do: check}`, `:5: "4:30pm" is not a time of day`},
		{"do: check", "do: look", ":5: do takes check or import"},
		{"  slots:", "  slot:", `there is no key "slot" here`},
		{`{at: "21:30", do: import}`, `{at: "21:30", do: import, optional: true}`, "no import that is not optional"},
		{"sat: []", "saturday: []", `"saturday" in days is neither`},
		{"[sat, sun, mon], 2026-12-25", "[sat, x], 2026-12-25", `:9: "x" is not a weekday`},
		{`seen_by: "09:30"`, "seen_by: early", `:11: "early" is not a time of day`},
		{"inbox: /srv/office/in", "inbox: in", ":14: inbox takes a full path"},
		{"inbox: /srv/office/in", "inbox: /srv/office/done", ":13: the inbox of Lakeshore must be another folder"},
		{"mapping: /srv/office/lakeshore.yaml", "mapping: ./lakeshore.yaml", ":16: mapping takes a full path"},
		{`last_call: "05:00"`, `last_call: never`, `:18: "never" is not a time of day`},
		{"mail.example:465", "mail.example:smtp", `:22: "mail.example:smtp" is not a mail server`},
		{"results: /srv/office/results", "results: results", ":19: results takes a full path"},
		{"  done: /srv/office/done\n", "", `:3: the key "done" is missing`},
		{", password_file: /etc/tripimport/mail", "", ":22: mail with a user takes password_file"},
		{"to: [lead@office.example], ", "", `:22: the key "to" is missing`},
		{"password_file", "password", `there is no key "password" here`},
		{"ping: https", "ping: ftp", ":23: the address for pings is not an https address"},
		{"from: trips@office.example", "from: trips", `:22: the sender "trips" is not a mail address`},
	} {
		_, err := load(t, strings.Replace(office, test.was, test.is, 1))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.is, err, test.want)
		}
	}
}

// TestLoadWithout loads settings without the block, and some in which it can't be found.
func TestLoadWithout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tripimport.yaml")
	for _, text := range []string{"", "base_url: https://trips.example\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, found, err := Load(path); c != nil || found || err != nil {
			t.Errorf("%q: %v, %v, %v", text, c, found, err)
		}
	}
	if err := os.WriteFile(path, []byte("nightly:\n  zone: America/New_York\n   slots: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(path); err == nil || !strings.Contains(err.Error(), "can't be read") {
		t.Error(err)
	}
}

// TestLoadREADME loads the block that the README shows.
func TestLoadREADME(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "```yaml\nnightly:")
	shown, _, _ := strings.Cut(after, "```")
	if _, err := load(t, "nightly:"+shown); err != nil {
		t.Error(err)
	}
}
