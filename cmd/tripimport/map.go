package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/sheet"
	"tripimport/mapping"
	"tripimport/mapping/propose"
)

func newMap(w world) *cobra.Command {
	var output string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "map FILE",
		Short: "propose a mapping for a new layout",
		Example: `  tripimport map export.csv                 the proposal, with a reason beside each line
  tripimport map export.csv -o lakeshore.yaml
  tripimport map export.csv --json          which column seems to be what, and how sure`,
		Long: `Reads the headers and a few rows, and proposes which column is what. It proposes,
` + "`check`" + ` disposes: what it writes is a draft, good for checks and rehearsals. A real
import takes it once ` + "`tripimport mapping approve`" + ` has shown you ten trips.`,
		Args: args(cobra.ExactArgs(1), "name one spreadsheet"),
		RunE: func(cmd *cobra.Command, paths []string) error {
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			p, err := a.propose(paths[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(w.Out, p.Fields)
			}
			return a.offer(p, paths[0], output)
		},
	}
	addSettings(cmd, "mappings")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write the mapping to (default: print it)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the fields as JSON, each with its column and how sure that is")
	return cmd
}

// propose reads a mapping off a file's first rows.
func (a *app) propose(path string) (propose.Proposal, error) {
	file, err := sheet.Open(path, sheet.Options{})
	if err != nil {
		return propose.Proposal{}, err
	}
	const sample = 200
	rows, err := file.Head(sample)
	if err = errors.Join(err, file.Close()); err != nil {
		return propose.Proposal{}, err
	}
	candidates, err := a.mappings()
	if err != nil {
		return propose.Proposal{}, err
	}
	var known []*mapping.Mapping
	for _, c := range candidates {
		known = append(known, c.mapping)
	}
	return propose.Mapping(rows[:min(len(rows), headRows)], rows, known), nil
}

// offer writes the proposal to a file, or prints it. At a terminal it asks where
// to write it; in a pipe nothing is asked.
func (a *app) offer(p propose.Proposal, path, output string) error {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	text := p.YAML(name)
	if t, err := findTemplate(strings.TrimSuffix(p.Template, ".yaml")); err == nil && p.Template != "" {
		// A template says more than columns: codes, will calls, round trips.
		_, _ = fmt.Fprintf(a.Err, "notice: the file has all columns of the template %s: this is it, as a draft\n", t.Name)
		text = t.Text
	}
	text = asDraft(text, name+"*"+filepath.Ext(path))
	if output == "" && isTerminal(a.Out) && a.ask(fmt.Sprintf("write the proposal to %s.yaml?", name)) {
		output = name + ".yaml"
	}
	if output == "" {
		_, err := fmt.Fprint(a.Out, text)
		return err
	}
	out, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usage("name another file, or remove it", "%s is there already", output)
	}
	if err != nil {
		return usage("name a file that is not there yet, in a folder that may be written", "%s can't be written", output)
	}
	_, err = out.WriteString(text)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	for _, f := range p.Missing {
		_, _ = fmt.Fprintf(a.Out, "not found: %s\n", f)
	}
	_, err = fmt.Fprintf(a.Out, "wrote %s, a draft: look at each line, then run\n   tripimport check -m %s %s\n   tripimport mapping approve %s %s\n",
		output, quoted(output), quoted(path), quoted(output), quoted(path))
	return err
}

// asDraft makes sure that a mapping is a draft and says which files it is for:
// with a constant provider it would else be taken for any broker's file of
// these columns, and so is never chosen by itself.
func asDraft(text, files string) string {
	var extra string
	lines := "\n" + text
	if !strings.Contains(lines, "\ndraft:") {
		extra += "draft: true    # tripimport mapping approve shows its trips and takes this line out\n"
	}
	if !strings.Contains(lines, "\nfiles:") {
		extra += fmt.Sprintf("files: %q    # the files it is for: mend the name where yours change\n", files)
	}
	before, after, found := strings.Cut(lines, "\nmapping:")
	if !found {
		return text
	}
	version, rest, _ := strings.Cut(after, "\n")
	return strings.TrimPrefix(before+"\nmapping:"+version+"\n"+extra+rest, "\n")
}
