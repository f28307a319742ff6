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

// A Runner runs a command and returns its standard output. The error has what it wrote
// to standard error.
type Runner func(ctx context.Context, c Command) (output string, err error)

// Run is the Runner of this computer. A command ends after two minutes at most, one that
// asks for a password after ten.
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
		return "", plainly(c, command.Run(), "")
	}

	var out, failed bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(c.Input), &out, &failed
	err := command.Run()
	return out.String(), plainly(c, err, failed.String())
}

// plainly returns the error of a command in words: its own, where it has said any.
func plainly(c Command, err error, said string) error {
	said = strings.TrimSpace(said)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("this computer has no %s", c.Args[0])
	case said != "":
		return errors.New(said)
	}
	return err
}
