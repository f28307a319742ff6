package timer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Runner runs a command and returns its standard output. The error has the command's
// standard error.
type Runner func(ctx context.Context, c Command) (output string, err error)

// Run is the Runner that really runs commands. It ends a command after two minutes, or after
// ten if the command asks for a password.
func Run(ctx context.Context, c Command) (string, error) {
	limit := 2 * time.Minute
	if c.Ask {
		limit = 10 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	command := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	if c.Ask {
		command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
		return "", explained(c, command.Run(), "")
	}

	var out, stderr bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(c.Input), &out, &stderr
	err := command.Run()
	return out.String(), explained(c, err, stderr.String())
}

// do runs a command whose output does not matter. Its error names the command.
func (r Runner) do(ctx context.Context, c Command) error {
	if _, err := r(ctx, c); err != nil {
		return fmt.Errorf("`%s` failed: %w", c, err)
	}
	return nil
}

// explained returns the error of a command with the text of its standard error, if there is any.
func explained(c Command, err error, stderr string) error {
	stderr = strings.TrimSpace(stderr)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("this computer has no %s", c.Args[0])
	case stderr != "":
		return errors.New(stderr)
	}
	return err
}
