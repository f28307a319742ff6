//go:build !linux && !darwin && !windows

package ledger

// networkDrive knows no network file systems here.
func networkDrive(string) string { return "" }
