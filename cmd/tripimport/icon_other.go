//go:build !windows

package main

// startedByIcon reports whether a person opened the program in the file manager: only Windows tells.
func startedByIcon() bool { return false }

// leaveConsole closes the window that the system opened for the program alone: elsewhere there is none.
func leaveConsole() {}
