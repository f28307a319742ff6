package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
)

func newSetup(e environment) *cobra.Command {
	steps := []string{"address", "token", "ledger", "access"}
	return &cobra.Command{
		Use:   "setup [address URL | token | ledger | access]",
		Short: "set up this computer: service, token and ledger, asked one by one",
		Example: `  tripimport setup                    what is missing is asked for
  tripimport setup address https://trips.example
  tripimport setup token < token.txt  at a terminal it is asked for, unseen
  tripimport setup ledger             as tripimport ledger new`,
		Long: `Asks for the address of the service and for its token, makes the office's ledger
if it has none yet, and lists what the token may use. The token is kept for this
user alone, and never the value of a flag or a setting.`,
		Args: func(_ *cobra.Command, words []string) error {
			if len(words) > 0 && !slices.Contains(steps, words[0]) || len(words) > 1 && words[0] != "address" || len(words) > 2 {
				return usage("see `tripimport setup --help`", "the steps are address URL, token, ledger and access; a token is never an argument")
			}
			return nil
		},
		RunE: e.inSession(func(ctx context.Context, s *session, words []string) error {
			if len(words) > 0 {
				return s.setUp(ctx, words[0], append(words, "")[1])
			}
			for _, step := range steps {
				if text := s.done(ctx, step); text != "" {
					s.printf("%s: %s\n", step, text)
					continue
				}
				if err := s.setUp(ctx, step, ""); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}

// done says what is set up already of a step; "" for a step that is still to be done.
func (s *session) done(ctx context.Context, step string) (text string) {
	switch step {
	case "address":
		return s.Settings.Text("base_url")
	case "token":
		if origin, err := s.TokenOrigin(); err == nil {
			return origin
		}
	case "ledger":
		_ = s.ReadLedger(ctx, func(l ledger.Ledger) error { text = l.Location(); return nil })
	}
	return text
}

// setUp does one step.
func (s *session) setUp(ctx context.Context, step, value string) error {
	switch step {
	case "address":
		return s.setAddress(value)
	case "token":
		return s.setToken()
	case "ledger":
		const alone = "make the office's ledger on this computer? say no if the office has one: a second one would book every trip again"
		if isTerminal(s.In) && !s.ask(alone) {
			return usage("name the office's ledger in "+s.Folders.Settings()+", or bring it here", "no ledger was made")
		}
		return s.newLedger(ctx)
	}
	return s.showAccess(ctx)
}

// setAddress keeps the address of the service. At a terminal it is asked for if it is not given.
func (s *session) setAddress(value string) error {
	if value == "" && isTerminal(s.In) {
		s.print(s.Err, "address of the service, such as https://trips.example: ")
		value, _ = s.readLine() // an error counts as no answer
	}
	if value == "" {
		return usage("run `tripimport setup address URL` once you have it: whoever gave you the token knows it", "no address was given")
	}
	address, err := s.KeepAddress(value)
	return s.say(err, "the service is %s; it is in %s\n", address, s.Folders.Settings())
}

// setToken asks for the token and keeps it.
func (s *session) setToken() error {
	token, err := s.askToken()
	if err != nil {
		return err
	}
	address, err := s.StoreToken(token)
	return s.say(err, "stored in %s, readable for you alone, for %s; `tripimport access` proves it\n", s.Folders.Token(), address)
}

// askToken asks for the token without showing it. It reads a line if standard input is not a
// terminal.
func (e environment) askToken() (importer.Secret, error) {
	file, ok := e.In.(*os.File)
	if !ok || !isTerminal(file) {
		line, err := e.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return importer.Secret{}, usage("", "the token can't be read from standard input")
		}
		return app.CleanToken(line, "standard input")
	}

	_, _ = fmt.Fprint(e.Err, "token (it will not be shown): ")
	text, err := term.ReadPassword(int(file.Fd()))
	_, _ = fmt.Fprintln(e.Err)
	if err != nil {
		return importer.Secret{}, usage("", "the token could not be read from the terminal")
	}
	return app.CleanToken(string(text), "what was typed")
}

func newAccess(e environment) *cobra.Command {
	cmd := e.plainCommand("access", "list the providers and funding sources that the token may use", func(ctx context.Context, s *session) error { return s.showAccess(ctx) })
	cmd.Example = `  tripimport access     proves the token, and lists the names for mappings`
	return cmd
}

// showAccess asks the service for the access list, and prints it.
func (s *session) showAccess(ctx context.Context) error {
	access, err := s.Access(ctx)
	if err != nil {
		return err
	}
	for _, p := range access.Providers {
		s.printf("%s\n", p.Name)
		for _, f := range p.FundingSources {
			s.printf("    %s (%d)\n", f.Name, f.ID)
		}
	}
	return nil
}
