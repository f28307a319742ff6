package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tripimport/mapping"
	"tripimport/templates"
)

func newTemplates(e environment) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "templates [NAME]",
		Short: "list, show or write the mappings that come with the program",
		Example: `  tripimport templates        list them
  tripimport templates mtm    print one
  tripimport templates plain --write .
                              its mapping, and a blank workbook where it has one`,
		RunE: func(_ *cobra.Command, names []string) error {
			if len(names) == 0 {
				var all table
				for _, x := range templates.List() {
					all.add(x.Name, x.Title)
				}
				return all.print(e.Out)
			}
			t, found := templates.Find(names[0])
			switch {
			case !found:
				return usage("`tripimport templates` lists them", "there is no template %q", names[0])
			case folder != "":
				return writeTemplate(e, t, folder)
			}
			_, err := io.WriteString(e.Out, t.Text)
			return err
		},
	}
	cmd.Flags().StringVar(&folder, "write", "", "write it into this `FOLDER`, to be changed")
	return cmd
}

// writeTemplate writes the files of a template. It never overwrites a file.
func writeTemplate(e environment, t templates.Template, dir string) error {
	// The template's first line names the schema, with which editors complete and check the
	// mapping.
	schema, err := mapping.Schema()
	if err != nil {
		return err
	}

	files := append(t.Files(), templates.File{Name: mapping.SchemaID, Content: schema})
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
			e.printf("kept %s as it is; rename it, or name another folder, to have the template's\n", path)
			continue
		case err != nil:
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
