package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/mapping/propose"
)

func newMap(e environment) *cobra.Command {
	var output string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "map FILE",
		Short: "propose a mapping for a new layout",
		Example: `  tripimport map export.csv         the proposal, with a reason beside each line
  tripimport map export.csv -o lakeshore.yaml
  tripimport map export.csv --json  which column seems to be what, and how sure
  tripimport map approve lakeshore.yaml schedule.xlsx`,
		Long: `Reads the headers and some rows, and proposes which column is what. What the file does
not show becomes a question: at a terminal you are asked, elsewhere the proposal has a line
that ends in # open: and the question, to be completed. The proposal is a draft, good for checks and
rehearsals. A real import takes it once you have looked at ten trips with ` + "`tripimport map approve`" + ` and approved it.`,
		Args: args(cobra.ExactArgs(1), "name one spreadsheet"),
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			p, err := s.ProposeMapping(paths[0])
			if err != nil {
				return err
			}

			if asJSON {
				return printJSON(e.Out, p.Fields)
			}
			return s.offer(ctx, p, paths[0], output)
		}),
	}

	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write the mapping to (default: print it)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the fields as JSON, each with its column and how sure that is")
	cmd.AddCommand(newMapApprove(e), newMapLint(e), newMapSchema(e))
	return cmd
}

// offer writes the proposal to the output file, or prints it if no file is named. At a terminal
// it first asks the open questions of the proposal, shows the trips that the answers make, and
// offers to write the proposal to a file.
func (s *session) offer(ctx context.Context, p app.Proposal, path, output string) error {
	switch {
	case p.Template != "" && p.Differs == nil && p.Renamed == nil:
		s.print(s.Err, inertf("notice: the file has all columns of the template %s, and the draft is that template\n", p.Template))
	case p.Template != "":
		s.print(s.Err, inertf("notice: the file has nearly all columns of the template %s, and the draft starts from it%s%s\n",
			p.Template, listed("; renamed, so compare them: ", p.Renamed), listed("; what differs: ", p.Differs)))
	}

	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if isTerminal(s.In) && isTerminal(s.Out) {
		p.Text = interview{in: bufio.NewReader(s.In), out: s.Out}.answer(p.Draft)
		s.showTrips(ctx, p.Text, path)
		if output == "" && s.ask(fmt.Sprintf("write the mapping to %s.yaml?", name)) {
			output = name + ".yaml"
		}
	}

	if output == "" || output == "-" { // - is standard output, as in other programs
		return s.printDraft(p.Text)
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

	if n := propose.OpenLines(p.Text); n > 0 {
		s.printf("%s in it: search for # open:\n", importer.Counted(n, "question is open", "questions are open"))
	}
	s.printf("wrote %s, a draft: look at each line, then run\n   tripimport check -m %s %s\n   tripimport map approve %s %s\n",
		output, app.Quoted(output), app.Quoted(path), app.Quoted(output), app.Quoted(path))
	return nil
}

// printDraft prints a proposal.
func (s *session) printDraft(text string) error {
	out := s.Out
	if !isTerminal(out) {
		out = below(out) // a file must have the exact names of columns
	}
	_, err := fmt.Fprint(out, text)
	return err
}

// listed returns a list with what it lists in front, or "" for an empty list.
func listed(what string, list []string) string {
	if list == nil {
		return ""
	}
	return what + strings.Join(list, ", ")
}

// showTrips prints trips that a draft makes from the file, or says why it makes none.
func (s *session) showTrips(ctx context.Context, text, path string) {
	sample, err := s.DraftTrips(ctx, text, path, approvedTrips)
	for i := range sample.Trips {
		s.line(inertf("row %d: %s", sample.Trips[i].Row.Row, sentence(&sample.Trips[i])))
	}
	if err != nil {
		s.line(inertf("no trips to show yet: %s", err.Error()))
	}
}
