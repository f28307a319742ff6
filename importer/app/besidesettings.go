package app

import (
	"fmt"
	"strings"
)

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
			refused = append(refused, fmt.Sprintf("%s sets %s to %q", now.Origin, s.Key, now.Text))
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
