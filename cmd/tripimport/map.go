package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newMap(e environment) *cobra.Command {
	var output string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "map FILE",
		Short: "propose a mapping for a new layout",
		Example: `  tripimport map export.csv                 the proposal, with a reason beside each line
  tripimport map export.csv -o lakeshore.yaml
  tripimport map export.csv --json          which column seems to be what, and how sure`,
		Long: `Reads the headers and a few rows, and proposes which column is what. The proposal
is a draft, good for checks and rehearsals. A real import takes it once you have
looked at ten trips with ` + "`tripimport mapping approve`" + ` and approved it.`,
		Args: args(cobra.ExactArgs(1), "name one spreadsheet"),
		RunE: func(cmd *cobra.Command, paths []string) error {
			s, err := newSession(cmd, e)
			if err != nil {
				return err
			}

			p, err := s.ProposeMapping(paths[0])
			if err != nil {
				return err
			}

			if asJSON {
				return printJSON(e.Out, p.Fields)
			}
			return s.offer(p, paths[0], output)
		},
	}

	addSettings(cmd, "mappings")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write the mapping to (default: print it)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the fields as JSON, each with its column and how sure that is")
	return cmd
}

// offer writes the proposal to the output file, or prints it if there is none. At a
// terminal it asks first whether to write it to a file.
func (s *session) offer(p app.Proposal, path, output string) error {
	if p.Template != "" {
		_, _ = fmt.Fprintf(s.Err, "notice: the file has all columns of the template %s: this is it, as a draft\n", p.Template)
	}

	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if output == "" && isTerminal(s.Out) && s.ask(fmt.Sprintf("write the proposal to %s.yaml?", name)) {
		output = name + ".yaml"
	}

	if output == "" {
		out := s.Out
		if !isTerminal(out) {
			out = below(out) // for a file: the columns' names have to be exact
		}
		_, err := fmt.Fprint(out, p.Text)
		return err
	}

	out, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usage("name another file, or remove it", "%s is there already", output)
	}
	if err != nil {
		return usage("name a file that is not there yet, in a folder that may be written", "%s can't be written", output)
	}

	_, err = out.WriteString(p.Text)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}

	for _, f := range p.Missing {
		s.printf("not found: %s\n", f)
	}

	s.printf("wrote %s, a draft: look at each line, then run\n   tripimport check -m %s %s\n   tripimport mapping approve %s %s\n",
		output, app.Quoted(output), app.Quoted(path), app.Quoted(output), app.Quoted(path))
	return nil
}
