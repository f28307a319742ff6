//go:build !linux && !darwin && !windows

package sqlite

// networkDrive knows no network file systems here.
func networkDrive(string) string { return "" }
