package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tripimport/mapping"
	"tripimport/templates"
)

func newTemplates(e environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "templates",
		Short: "list, show or write the mappings that come with the program",
		Example: `  tripimport templates  list them
  tripimport templates show mtm
                        print one
  tripimport templates write plain
                        write its mapping, and a blank workbook where it has one`,
		Args: args(cobra.NoArgs, "say show NAME or write NAME"),
		RunE: func(*cobra.Command, []string) error {
			t := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
			for _, x := range templates.List() {
				tableRow(t, x.Name, x.Title)
			}
			return t.Flush()
		},
	}

	cmd.AddCommand(
		&cobra.Command{
			Use: "show NAME", Short: "print a template's mapping",
			Args: args(cobra.ExactArgs(1), "name one template"),
			RunE: func(_ *cobra.Command, names []string) error {
				t, err := findTemplate(names[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(e.Out, t.Text)
				return err
			},
		},
		&cobra.Command{
			Use: "write NAME [FOLDER]", Short: "write a template out, to be changed",
			Args: args(cobra.RangeArgs(1, 2), "name one template, and a folder if not this one"),
			RunE: func(_ *cobra.Command, names []string) error {
				t, err := findTemplate(names[0])
				if err != nil {
					return err
				}
				return writeTemplate(e, t, append(names, ".")[1])
			},
		},
	)
	return cmd
}

// findTemplate returns the template of that name.
func findTemplate(name string) (templates.Template, error) {
	if t, ok := templates.Find(name); ok {
		return t, nil
	}
	return templates.Template{}, usage("`tripimport templates` lists them", "there is no template %q", name)
}

// writeTemplate writes the files of a template. It never overwrites a file.
func writeTemplate(e environment, t templates.Template, dir string) error {
	files, err := t.Files()
	if err != nil {
		return err
	}

	// The template's first line names the schema, with which editors complete and check the
	// mapping.
	schema, err := mapping.Schema()
	if err != nil {
		return err
	}

	files = append(files, templates.File{Name: mapping.SchemaID, Content: schema})
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && filepath.Ext(path) != ".yaml" {
			e.printf("kept %s as it is\n", path)
			continue
		}
		if errors.Is(err, fs.ErrExist) {
			return usage("rename it, or name another folder", "%s is there already", path)
		}
		if err != nil {
			return usage("see that the folder is there and may be written", "%s can't be written", path)
		}
		_, err = out.Write(f.Content)
		if err = errors.Join(err, out.Close()); err != nil {
			return err
		}
		e.printf("wrote %s\n", path)
	}
	return nil
}
