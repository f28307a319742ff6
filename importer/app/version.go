package app

import (
	"runtime/debug"
	"strings"
)

// release is set by the linker when a release is built: version, commit and date of the
// commit, separated by slashes.
var release string

// Version returns the version of the program: that of the release, or of the module, or the
// commit that the program was built from.
func Version() string {
	version, _, _ := built()
	return version
}

// Build returns the version with its commit and date, as far as they are known.
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

// built returns the version, the commit and the commit's date. commit and date are empty if
// they are not known.
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
