package main

import (
	"github.com/inconshreveable/mousetrap"
	"golang.org/x/sys/windows"
)

// startedByIcon reports whether a person opened the program in the file manager, and not at a terminal.
func startedByIcon() bool { return mousetrap.StartedByExplorer() }

// leaveConsole closes the console window that the system opened for the program alone. A program that
// stays in it would be ended, within seconds, when somebody closes the window.
func leaveConsole() {
	_, _, _ = windows.NewLazySystemDLL("kernel32.dll").NewProc("FreeConsole").Call() // without one there is nothing to leave
}
