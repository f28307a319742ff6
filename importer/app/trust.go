package app

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"
)

// besideFile is the configuration file in the current folder. Many people may be able to write
// to a folder with schedules, so without trust the file may set only what can't hurt.
const besideFile = "tripimport.yaml"

// harmless reports whether the file in the current folder may set a value without being
// trusted. The file may say how files are read and how results look, slow the program down,
// and repeat a value that holds anyway. It may not say where the token or patients' data are
// sent, which commands run, or which ledger is used. A setting that is not listed here needs
// trust.
func (all Settings) harmless(key, text string) bool {
	without, with := all, Settings{key: {Text: text}}
	switch key {
	case "mapping", "mappings", "places", "results_format", "workers", "log_format":
		return true
	case "rate", "burst": // a rate of 0 is no limit
		n, most := with.number(key), without.number(key)
		return n > 0 && (n <= most || most == 0)
	case "timeout":
		return with.duration(key) >= without.duration(key)
	}
	return text == without[key].Text
}

// add adds the values of the file in the current folder that are harmless, or that the user
// trusted as they are. It marks other values as refused. A trusted value that the file no
// longer has is marked as well, because without it another ledger might be used.
func (all Settings) add(beside, trusted Settings) {
	for _, s := range KnownSettings() {
		value := all[s.Key]
		now, set := beside[s.Key]
		was, known := trusted[s.Key]
		switch {
		case set && (known && now.Text == was.Text || all.harmless(s.Key, now.Text)):
			all[s.Key] = now
			continue
		case set:
			value.Refused = fmt.Sprintf("%s sets %s to %q", now.Origin, s.Key, now.Text)
		case known && was.Text != value.Text:
			value.Refused = fmt.Sprintf("%s does not set %s any more", besideFile, s.Key)
		default:
			continue
		}
		if known {
			value.Refused += fmt.Sprintf(", which was %q when you trusted it", was.Text)
		}
		all[s.Key] = value
	}
}

// trusted returns an error if any of the settings is refused because the file in the current
// folder sets it, or leaves it out, without being trusted. The error names these settings.
func (all Settings) trusted(keys ...string) error {
	var refused []string
	for _, key := range keys {
		if reason := all[key].Refused; reason != "" {
			refused = append(refused, reason)
		}
	}
	if refused == nil {
		return nil
	}
	return Usage("if your office wants it so, run `tripimport config trust` in this folder, which shows it again; otherwise correct "+besideFile,
		"%s; a file beside the schedules may do that only once it is trusted", strings.Join(refused, "; "))
}

// Trust lets the tripimport.yaml in the current folder set what it sets now, for this user and
// this folder. It first calls agree with the values that need trust, by key, and trusts
// nothing if agree returns false. A value that is altered later is refused again.
func (a *App) Trust(agree func(values map[string]string) bool) error {
	own, beside, err := a.Folders.fileSettings()
	if err != nil {
		return err
	}

	values := map[string]string{}
	for key, v := range beside {
		if !own.harmless(key, v.Text) {
			values[key] = v.Text
		}
	}
	if !agree(values) {
		return Usage("run it again and say yes, or correct "+besideFile, "nothing is trusted")
	}

	text, err := yaml.Marshal(values)
	if err != nil {
		return err
	}
	path, err := a.Folders.trusted()
	if err != nil {
		return err
	}
	return writePrivate(path, text)
}

// trusted returns the path of the file with the values that the user trusts in the current
// folder.
func (f Folders) trusted() (string, error) {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return "", Usage("change to a folder that is there", "the current folder can't be found")
	}
	return filepath.Join(f.Config, "trusted", fmt.Sprintf("%x.yaml", sha256.Sum256([]byte(here)))), nil
}
