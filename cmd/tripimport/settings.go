package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"
)

// A setting is one thing that can be configured.
type setting struct {
	Key     string // as in tripimport.yaml: base_url
	Usage   string
	Default string
	// Kind is "text", "number", "count", "time" or "path". A path in a
	// configuration file is relative to that file.
	Kind string
}

// knownSettings are all of them; none of them is a secret.
func knownSettings() []setting {
	return []setting{
		{"base_url", "address of the service, such as https://trips.example", "", "text"},
		{"ledger", "file that records what was sent", "", "path"},
		{"token_file", "file that holds the token", "", "path"},
		{"token_command", "command that prints the token", "", "text"},
		{"mapping", "mapping to use (a file, or a template's name); by default the one whose columns the file has", "", "text"},
		{"mappings", "folder of this office's own mappings", "", "path"},
		{"places", "list of places with coordinates (CSV or workbook)", "", "path"},
		{"geocoder", "geocoder to ask for addresses that no list has: census, nominatim, pelias or geocodio", "", "text"},
		{"geocoder_url", "address of the geocoder, where it is a server of your own", "", "text"},
		{"geocoder_rate", "requests a second to the geocoder at most", "1", "number"},
		{"near_matches", "what a geocoder's near match is: fault or notice", "fault", "text"},
		{"results_format", "xlsx or csv", "xlsx", "text"},
		{"rate", "requests a second at most; 0 for no limit of our own", "10", "number"},
		{"burst", "requests that may go at once", "10", "count"},
		{"workers", "requests under way at once", "8", "count"},
		{"timeout", "longest time to wait for one answer", "60s", "time"},
		{"guid_field", "name of the field that holds the trip's GUID in an answer", "trip_guid", "text"},
		{"lookup_path", "path at which the service can be asked for a trip, such as /v1/trips?id={trip_id}; for resolve", "", "text"},
		{"lookup_guid", "where the GUID stands in that answer, such as trips.0.trip_guid", "", "text"},
		{"log_format", "text or json", "text", "text"},
	}
}

// settings are the values in force, each with where it came from.
type settings map[string]resolved

type resolved struct{ Value, Origin string }

// flagName gives the flag of a setting: base_url is --base-url.
func flagName(key string) string { return strings.ReplaceAll(key, "_", "-") }

// envName gives the variable of a setting: base_url is TRIPIMPORT_BASE_URL.
func envName(key string) string { return "TRIPIMPORT_" + strings.ToUpper(key) }

// addSettings gives a command the flags of the settings that it uses.
func addSettings(cmd *cobra.Command, keys ...string) {
	for _, s := range knownSettings() {
		if !slices.Contains(keys, s.Key) {
			continue
		}
		help := s.Usage
		if s.Default != "" {
			help += fmt.Sprintf(" (default %s)", s.Default)
		}
		cmd.Flags().Var(&settingFlag{kind: s.Kind}, flagName(s.Key), help)
	}
}

// A settingFlag is the text of a setting given as a flag; it is looked at when
// all settings are.
type settingFlag struct{ text, kind string }

func (f *settingFlag) Set(text string) error {
	f.text = text
	return nil
}

func (f *settingFlag) String() string { return f.text }
func (f *settingFlag) Type() string   { return strings.ToUpper(f.kind) }

// loadSettings finds each value: flag, environment, tripimport.yaml in the
// folder of the work, the user's own tripimport.yaml, default. A key that is
// not known is refused, since a misspelt one would be a setting lost.
func loadSettings(cmd *cobra.Command, w world, f folders) (settings, error) {
	all := settings{}
	for _, s := range knownSettings() {
		all[s.Key] = resolved{s.Default, "default"}
	}
	all["ledger"] = resolved{filepath.Join(f.Data, "ledger.db"), "default"}
	for _, file := range []string{filepath.Join(f.Config, "tripimport.yaml"), "tripimport.yaml"} {
		if err := all.readFile(file); err != nil {
			return nil, err
		}
	}
	for _, s := range knownSettings() {
		if v, set := w.Env(envName(s.Key)); set && v != "" {
			all[s.Key] = resolved{v, envName(s.Key)}
		}
		if flag := cmd.Flags().Lookup(flagName(s.Key)); flag != nil && flag.Changed {
			all[s.Key] = resolved{flag.Value.String(), "--" + flag.Name}
		}
	}
	return all, all.validate()
}

// readFile takes what a configuration file sets; a file that is not there sets
// nothing.
func (all settings) readFile(file string) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usage("see that this user may read it", "the configuration %s can't be read", file)
	}
	values := map[string]yaml.Node{}
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&values); err != nil && len(bytes.TrimSpace(text)) > 0 {
		return usage("write one `key: value` a line, as `tripimport config show` lists them", "%s is not a list of settings in YAML", file)
	}
	kinds := map[string]string{}
	for _, s := range knownSettings() {
		kinds[s.Key] = s.Kind
	}
	for key, node := range values {
		kind, known := kinds[key]
		if !known {
			return usage("`tripimport config show` lists the settings; a token is never one of them", "%s: there is no setting %q", file, key)
		}
		if node.Kind != yaml.ScalarNode {
			return usage("write one value behind the colon", "%s:%d: %s takes a single value", file, node.Line, key)
		}
		value := node.Value
		if kind == "path" && value != "" && !filepath.IsAbs(value) {
			value = filepath.Join(filepath.Dir(file), value)
		}
		all[key] = resolved{value, fmt.Sprintf("%s:%d", file, node.Line)}
	}
	return nil
}

// validate refuses values that can't be what they should.
func (all settings) validate() error {
	for _, s := range knownSettings() {
		v := all[s.Key]
		wrong := ""
		switch s.Kind {
		case "number":
			if n, err := strconv.ParseFloat(v.Value, 64); err != nil || n < 0 || n > 10_000 {
				wrong = "a number from 0 to 10000"
			}
		case "count":
			if n, err := strconv.Atoi(v.Value); err != nil || n < 1 || n > 1000 {
				wrong = "a whole number from 1 to 1000"
			}
		case "time":
			if d, err := time.ParseDuration(v.Value); err != nil || d < time.Second || d > time.Hour {
				wrong = "a time from 1s to 1h"
			}
		}
		switch {
		case s.Key == "results_format" && v.Value != "xlsx" && v.Value != "csv":
			wrong = "xlsx or csv"
		case s.Key == "near_matches" && v.Value != "fault" && v.Value != "notice":
			wrong = "fault or notice"
		case s.Key == "log_format" && v.Value != "text" && v.Value != "json":
			wrong = "text or json"
		}
		if wrong != "" {
			return usage("", "%s is %q (from %s); it takes %s", s.Key, v.Value, v.Origin, wrong)
		}
	}
	return nil
}

func (all settings) text(key string) string { return all[key].Value }

func (all settings) number(key string) float64 {
	n, _ := strconv.ParseFloat(all[key].Value, 64) // validated
	return n
}

func (all settings) count(key string) int {
	n, _ := strconv.Atoi(all[key].Value) // validated
	return n
}

func (all settings) duration(key string) time.Duration {
	d, _ := time.ParseDuration(all[key].Value) // validated
	return d
}
