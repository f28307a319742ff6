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

// limit is the longest that a command may take, with the time in which a person types a password.
const limit = 10 * time.Minute

// Run is the Runner that really runs commands.
func Run(ctx context.Context, c Command) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	var out, stderr bytes.Buffer
	command := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(c.Input), &out, &stderr
	if c.Ask {
		command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	}
	err := command.Run()
	said := strings.TrimSpace(stderr.String())
	switch {
	case errors.Is(err, exec.ErrNotFound):
		err = fmt.Errorf("this computer has no %s", c.Args[0])
	case err != nil && said != "":
		err = errors.New(said)
	}
	return out.String(), err
}

// do runs a command whose output does not matter. Its error names the command.
func (r Runner) do(ctx context.Context, c Command) error {
	if _, err := r(ctx, c); err != nil {
		return fmt.Errorf("`%s` failed: %w", c, err)
	}
	return nil
}
