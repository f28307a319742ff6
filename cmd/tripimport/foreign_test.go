package main

import (
	"os"
	"os/user"
	"runtime"
	"strings"
	"testing"

	"tripimport/importer/app"
	"tripimport/importer/sandbox"
)

// A foreignSetting is a line of a tripimport.yaml beside the schedule that needs trust.
type foreignSetting struct {
	value string
	also  []string // more lines, without which nothing asks for the setting
	args  []string // a command that uses it
	after int      // how that ends once the folder is trusted
}

// TestForeignSettings has each setting that needs trust stand in the tripimport.yaml
// beside the schedule: the command that uses it refuses it by name, before anything is
// asked, and takes it after `config trust`. It fails by name for a setting that is in
// neither list.
func TestForeignSettings(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("token commands and groups are those of Unix")
	}
	id, err := user.LookupGroupId(lookUpGroup(t))
	if err != nil {
		t.Fatal(err)
	}
	night := []string{"import", "--today", "2026-12-01", "night.csv"}
	check := []string{"check", "--today", "2026-12-01", "noplace.csv"}
	pelias := []string{"geocoder: pelias", "geocoder_url: http://127.0.0.1:9/"}
	foreign := map[string]foreignSetting{
		"base_url":                {value: "URL", args: night},
		"ledger":                  {value: "other.db", args: night},
		"ledger_password_file":    {value: "password.txt", args: night},
		"ledger_password_command": {value: "cat password.txt", args: night},
		"group":                   {value: id.Name, args: []string{"check", "--today", "2026-12-01", "night.csv"}},
		"machine_id":              {value: "box-7", args: []string{"ledger", "adopt", "--yes"}},
		"marks":                   {value: "marks-2", args: night},
		"token_file":              {value: "token.txt", args: night},
		"token_command":           {value: "cat token.txt", args: night},
		"geocoder":                {value: "pelias", also: pelias[1:], args: check, after: exitFix},
		"geocoder_url":            {value: "http://127.0.0.1:9/", also: pelias[:1], args: check, after: exitFix},
		"geocoder_rate":           {value: "50", also: pelias, args: check, after: exitFix},
		"near_matches":            {value: "notice", also: pelias, args: check, after: exitFix},
		"changes":                 {value: "send", args: night},
		"keep_results":            {value: "90d", args: []string{"purge", "--list", "."}},
		"keep_done":               {value: "30d", args: []string{"purge", "--list", "."}},
		"freeze":                  {value: "22:00", args: append(night, "--update")},
		"rate":                    {value: "300", args: night},
		"burst":                   {value: "100", args: night},
		"timeout":                 {value: "59s", args: night},
		"guid_field":              {value: "TripGUID", args: night},
		"answer_ids":              {value: "none", args: night},
		"lookup_path":             {value: "/v1/trips?id={trip_id}", also: []string{"lookup_guid: trips.0.trip_guid"}, args: []string{"resolve"}},
		"lookup_guid":             {value: "trips.0.trip_guid", also: []string{"lookup_path: /v1/trips?id={trip_id}"}, args: []string{"resolve"}},
	}

	harmless := " mapping mappings places results_format workers log_format "
	for _, s := range app.KnownSettings() {
		f, known := foreign[s.Key]
		switch {
		case strings.Contains(harmless, " "+s.Key+" "):
			continue
		case !known:
			t.Errorf("%s is in neither list", s.Key)
			continue
		}
		t.Run(s.Key, func(t *testing.T) { testForeign(t, s.Key, f) })
	}
}

func testForeign(t *testing.T, key string, f foreignSetting) {
	rows := inventedRows(1, func(int) bool { return false })
	asked := 0
	o := newOffice(t, rows, sandbox.Config{OnRequest: func(sandbox.Operation, []byte) { asked++ }})
	t.Chdir(o.folder)
	rows[0]["Pickup Latitude"], rows[0]["Pickup Longitude"] = nil, nil
	o.write("noplace.csv", rows)
	o.must(os.WriteFile("token.txt", []byte(officeToken), 0o600))
	home := o.env["TRIPIMPORT_HOME"]
	o.env["TRIPIMPORT_HOME"] = t.TempDir() // a machine that has a ledger makes no second one
	if s := o.run("ledger", "new", "--ledger", "other.db"); s.status != exitDone {
		t.Fatal(s.err)
	}
	o.env["TRIPIMPORT_HOME"] = home
	delete(o.env, "TRIPIMPORT_"+strings.ToUpper(key))
	if strings.HasPrefix(key, "token_") {
		delete(o.env, "TRIPIMPORT_TOKEN")
	}

	value := strings.Replace(f.value, "URL", o.url, 1)
	lines := append([]string{key + ": " + value}, f.also...)
	o.must(os.WriteFile("tripimport.yaml", []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	s := o.run(f.args...)
	if s.status != exitUsage || !strings.Contains(s.err, "sets "+key+" to ") || asked > 0 {
		t.Errorf("foreign: status %d, %d trips sent: %s", s.status, asked, s.err)
	}
	if s := o.run("config", "trust", "--yes"); s.status != exitDone {
		t.Fatal(s.err)
	}
	if s := o.run(f.args...); s.status != f.after || strings.Contains(s.err, "sets "+key) {
		t.Errorf("trusted: status %d, want %d: %s%s", s.status, f.after, s.out, s.err)
	}
}

// lookUpGroup returns the id of a group that the user is in.
func lookUpGroup(t *testing.T) string {
	t.Helper()
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return u.Gid
}
