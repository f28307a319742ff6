package app

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"tripimport/importer"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/places"
	"tripimport/importer/results"
)

// A Setting describes one thing that can be configured.
type Setting struct {
	// Key is its name in tripimport.yaml, such as base_url.
	Key string
	// Usage says in a few words what the setting is for.
	Usage string
	// Default is its value if none is set.
	Default string
	// Kind is "text", "number", "count", "clock", "days" or "path". A path in a
	// configuration file is relative to that file.
	Kind string
	// Words are the values that a text may have; empty for any text.
	Words []string
}

// KnownSettings returns all settings. None of them is a secret.
func KnownSettings() []Setting {
	formats := importer.Each(results.Formats(), func(f results.Format) string { return string(f) })
	return []Setting{
		{"base_url", "address of the service, such as https://trips.example", "", "text", nil},
		{"ledger", "file that records what was sent, or the PostgreSQL database in which offices share it: postgres://USER@HOST/DATABASE", "", "path", nil},
		{"group", "group of this machine's users that shares the ledger and the results; without it they are yours alone", "", "text", nil},
		{"machine_id", "id of this machine, where it has none of its own, as in a container", "", "text", nil},
		{"marks", "folder outside the ledger's, on this machine, that keeps the number of the ledger", "", "path", nil},
		{"token_file", "file that holds the token, where another program renews it", "", "path", nil},
		{"mappings", "folder of this office's own mappings", "", "path", nil},
		{"places", "where the coordinates of addresses are kept, for several people to share; by default in your own folder", "", "path", nil},
		{"geocoder", "geocoder to ask for addresses that have no coordinates yet", "", "text", places.Kinds()},
		{"geocoder_url", "address of the geocoder, where it is a server of your own", "", "text", nil},
		{"changes", "what an import does about booked trips that changed: report or send", "report", "text", []string{"report", "send"}},
		{"freeze", "how long before a pickup times and places are changed by hand alone, such as 3h, a time of the evening before, or off", "3h", "clock", nil},
		{"keep", "how long purge keeps results, lists, and the schedules that nights have put away, such as 90d", "", "days", nil},
		{"results_format", "kind of the results file: " + strings.Join(formats, " or "), formats[0], "text", formats},
		{"rate", "requests a second at most, as the service allows; 0 for no limit of our own", "10", "number", nil},
		{"workers", "requests under way at once; a service that answers slowly wants more", "8", "count", nil},
		{"guid_field", "name of the field that holds the trip's GUID in an answer, where the service calls it otherwise", "trip_guid", "text", nil},
	}
}

// Settings has the values in force, by key.
type Settings map[string]Value

// A Value is a setting's value and its origin: "--set", "TRIPIMPORT_RATE", "tripimport.yaml:3" or
// "default".
type Value struct{ Text, Origin string }

// EnvName returns the name of a setting's environment variable: base_url is
// TRIPIMPORT_BASE_URL.
func EnvName(key string) string { return "TRIPIMPORT_" + strings.ToUpper(key) }

// onCommandLine is the origin of a setting that was given with the command.
const onCommandLine = "--set"

// loadSettings finds the value of each setting. The first of these that sets it decides: the
// command line; the environment; tripimport.yaml in the current folder, which may set little; the
// user's own tripimport.yaml; the default. An unknown key is refused, because it may be a
// misspelt one whose value would be ignored.
func loadSettings(env Environment, f Folders, set map[string]string) (Settings, error) {
	all := Settings{}
	for _, s := range KnownSettings() {
		all[s.Key] = Value{Text: s.Default, Origin: "default"}
	}
	all["ledger"] = Value{Text: f.ledger(), Origin: "default"}
	own, err := f.readSettings(f.Settings(), f.Config)
	maps.Copy(all, own)
	if here, _ := os.Getwd(); err == nil && here != f.Config { // else both are the same file
		var beside Settings
		beside, err = f.readSettings(besideFile, ".")
		err = cmp.Or(err, all.addBeside(beside, f.Settings()))
	}
	if err != nil {
		return nil, err
	}

	for key := range all {
		if v := env.get(EnvName(key)); v != "" {
			all[key] = Value{Text: v, Origin: EnvName(key)}
		}
	}
	for key, v := range set {
		if _, known := all[key]; !known {
			return nil, unknownSetting(onCommandLine, key)
		}
		all[key] = Value{Text: v, Origin: onCommandLine}
	}
	used, _ := os.Stat(filepath.Dir(all.Text("ledger")))
	if rehearsals, _ := os.Stat(f.rehearsal()); os.SameFile(used, rehearsals) {
		return nil, Usage("name the office's own ledger", "the ledger %s (from %s) is one of rehearsals: nothing of what it has was booked", all.Text("ledger"), all["ledger"].Origin)
	}
	return all, all.validate()
}

// readSettings returns the values that a configuration file sets. Relative paths in it start
// at the folder dir. A file that does not exist sets none.
func (f Folders) readSettings(file, dir string) (Settings, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Usage("see that this user may read it", "the configuration %s can't be read", file)
	}

	values := map[string]yaml.Node{}
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&values); err != nil && !errors.Is(err, io.EOF) { // it may have comments alone
		at, _ := errors.AsType[*yaml.LoadError](err)
		return nil, usageStep(importer.Do("see this line and the one before; write one `key: value` a line, each key once; all keys", importer.DescribeSettings),
			"%s:%d: this is not a list of settings in YAML", file, cmp.Or(at, &yaml.LoadError{}).Mark.Line)
	}

	known, found := KnownSettings(), Settings{}
	for key, node := range values {
		i := slices.IndexFunc(known, func(s Setting) bool { return s.Key == key })
		switch {
		case key == "nightly" && file == besideFile:
			return nil, Usage("move it to your own settings: "+f.Settings(), "%s:%d: the block nightly counts only in your own settings", file, node.Line)
		case key == "nightly": // importer/nightly reads it
			continue
		case i < 0:
			return nil, unknownSetting(file, key)
		case node.Kind != yaml.ScalarNode:
			return nil, Usage("write one value behind the colon", "%s:%d: %s takes a single value", file, node.Line, key)
		}
		value := node.Value
		if known[i].Kind == "path" && value != "" && !filepath.IsAbs(value) && !strings.Contains(value, "://") {
			value = filepath.Join(dir, value)
		}
		found[key] = Value{Text: value, Origin: fmt.Sprintf("%s:%d", file, node.Line)}
	}
	return found, nil
}

// unknownSetting refuses a key that is no setting, in a file or on the command line.
func unknownSetting(where, key string) error {
	return usageStep(importer.Do("a token is never a setting; all settings", importer.DescribeSettings), "%s: there is no setting %q", where, key)
}

// validate refuses a value that its setting does not take. It does not repeat the URL of a ledger, which may have a password.
func (all Settings) validate() error {
	if url := all.Text("ledger"); postgres.IsLocation(url) {
		if _, err := postgres.ParseLocation(url); err != nil {
			return err
		}
	}
	for _, s := range KnownSettings() {
		v := all[s.Key]
		if fits, words := s.Takes(v.Text); !fits {
			return Usage("", "%s is %q (from %s); it takes %s", s.Key, v.Text, v.Origin, words)
		}
	}
	return nil
}

// Takes reports whether the setting may have a value, and says in words which values it takes;
// empty if it takes any text.
func (s Setting) Takes(text string) (fits bool, words string) {
	switch s.Kind {
	case "number":
		n, err := strconv.ParseFloat(text, 64)
		return err == nil && n >= 0 && n <= 10_000, "a number from 0 to 10000"
	case "count":
		n, err := strconv.Atoi(text)
		return err == nil && n >= 1 && n <= 1000, "a whole number from 1 to 1000"
	case "clock":
		before, at := parseFreeze(text)
		return before > 0 || at != (importer.TimeOfDay{}) || text == "off", "a number of hours such as 3h, a time of day such as 23:00, or off"
	case "days":
		_, ok := parseDays(text)
		return ok || text == "", fmt.Sprintf("a number of days such as 90d, at least %dd", leastDays)
	}
	return s.Words == nil || slices.Contains(s.Words, text) || text == s.Default, strings.Join(s.Words, " or ")
}

// Text returns the value of the setting with that key.
func (all Settings) Text(key string) string { return all[key].Text }

// number returns the value of a setting of the kind "number" or "count".
func (all Settings) number(key string) float64 {
	n, _ := strconv.ParseFloat(all[key].Text, 64) // validated
	return n
}

// besideFile is the configuration file in the current folder. Many people may be able to write
// to a folder with schedules, so the file may set only what can't hurt.
const besideFile = "tripimport.yaml"

// addBeside adds the values of the file in the current folder. It refuses the file if it sets
// anything that can hurt: where the token or patients' data are sent, which ledger is used, or
// how fast the service is asked.
func (all Settings) addBeside(beside Settings, own string) error {
	var refused []string
	for _, s := range KnownSettings() {
		switch now, set := beside[s.Key]; {
		case !set:
		case all.harmless(s.Key, now.Text):
			all[s.Key] = now
		default:
			refused = append(refused, now.Origin+" sets "+s.Key)
		}
	}
	if refused == nil {
		return nil
	}
	return Usage("take it out of "+besideFile+"; what your office wants so, set in your own settings: "+own,
		"%s; a file beside the schedules may set mappings, places, results_format and a lower rate, and nothing else", strings.Join(refused, "; "))
}

// harmless reports whether the file in the current folder may set a value. A setting that is
// not listed here is the user's own.
func (all Settings) harmless(key, text string) bool {
	switch key {
	case "mappings", "places", "results_format":
		return true
	case "rate": // a rate of 0 is no limit
		n, most := Settings{key: {Text: text}}.number(key), all.number(key)
		return n > 0 && (n <= most || most == 0)
	}
	return false
}
