package main

import (
	"context"
	"os/exec"
	"runtime"
)

// openFile has the system show a file in its usual program, and does not wait for it. A failure is
// ignored, because the file's name was printed.
func openFile(path string) {
	command := []string{"xdg-open"}
	switch runtime.GOOS {
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		command = []string{"open"}
	}
	shower := exec.CommandContext(context.Background(), command[0], append(command[1:], path)...)
	if shower.Start() == nil {
		_ = shower.Process.Release()
	}
}
