package main

import (
	"context"
	"os/exec"
	"runtime"
	"time"
)

// openFile asks the system to show a file in its usual program. A failure is ignored, because
// the file's name was printed.
func openFile(path string) {
	command := []string{"xdg-open"}
	switch runtime.GOOS {
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		command = []string{"open"}
	}

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = exec.CommandContext(ctx, command[0], append(command[1:], path)...).Run()
}
