package app

import (
	"runtime/debug"
	"strings"
)

// release is set by the linker when a release is built: version, commit and date of the
// commit, separated by slashes.
var release string

// Version returns the version of the program: that of the release, or the one that Go gives to a
// build of a commit, which names it.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	switch version, _, _ := strings.Cut(release, "/"); {
	case version != "":
		return version
	case info == nil || info.Main.Version == "" || info.Main.Version == "(devel)":
		return "dev"
	}
	return info.Main.Version
}

// Build returns the version and, of a release, its commit with the date.
func Build() string {
	if words := strings.Split(release, "/"); len(words) == 3 {
		return words[0] + " (commit " + words[1] + ", " + words[2] + ")"
	}
	return Version()
}
