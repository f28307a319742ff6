//go:build !windows

package timer

// isMapped reports whether a path is on a drive that is a folder of another computer.
// Only Windows has those.
func isMapped(string) bool { return false }
