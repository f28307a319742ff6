package app

import (
	"runtime/debug"
	"strings"
)

// release is written by the linker when a release is built: version, commit and date of
// the commit, with slashes between.
var release string

// Version returns the version of the program: the release's, the module's, or the
// commit that it was built from.
func Version() string {
	version, _, _ := built()
	return version
}

// Build returns the version with the commit that it was built from and its date, as far
// as they are known.
func Build() string {
	version, commit, date := built()
	var details []string
	if commit != "" && commit != version {
		details = append(details, "commit "+commit)
	}
	if date != "" {
		details = append(details, date)
	}
	if details == nil {
		return version
	}
	return version + " (" + strings.Join(details, ", ") + ")"
}

// built returns the version, the commit and its date; empty where they are not known.
func built() (version, commit, date string) {
	if words := strings.Split(release, "/"); len(words) == 3 {
		return words[0], words[1], words[2]
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown", "", ""
	}

	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = s.Value[:12]
		case s.Key == "vcs.time":
			date, _, _ = strings.Cut(s.Value, "T")
		}
	}
	switch version = info.Main.Version; {
	case version != "" && version != "(devel)":
		return version, commit, date
	case commit != "":
		return commit, commit, date
	}
	return "dev", "", ""
}
