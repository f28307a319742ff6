package app

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"os"
	"os/user"
	"runtime/debug"
	"strings"
	"time"

	"tripimport/importer"
)

// newID returns an id such as 20261202T031500Z-5f3a1c: the time in UTC, and that many random bytes.
func newID(at time.Time, random int) string {
	b := make([]byte, random)
	_, _ = rand.Read(b) // never fails
	return at.UTC().Format(runTime) + "-" + hex.EncodeToString(b)
}

// runTime is the layout of the time at the beginning of a run's id.
const runTime = "20060102T150405Z"

// runBegan returns the time at the beginning of a run's id.
func runBegan(id string) (time.Time, error) {
	return time.Parse(runTime, id[:min(len(id), len(runTime))])
}

// whoAmI returns the names of the person and the machine, for the ledger and its lock.
func (a *App) whoAmI() (who, host string) {
	return cmp.Or(a.env.Who, UserName()), hostName()
}

// UserName returns the name of the system's user.
func UserName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

func hostName() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return host
}

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

// runInfo describes the run for the ledger and the results.
func (j *job) runInfo() importer.RunInfo {
	who, host := j.whoAmI()
	command := j.command
	if j.fromRehearsal(j.edited) {
		command = importer.ImportRehearsed
	}
	return importer.RunInfo{
		ID: newID(j.started, 3), Started: j.started, Command: command, Input: j.described.InputInfo,
		Mapping: j.mapping.Name(), MappingHash: j.mapping.Meaning(), RowIDs: j.input.Mapper.RowIDs(),
		Who: who, Host: host, Version: Version(),
	}
}
