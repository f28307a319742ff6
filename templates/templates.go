// Package templates contains the mappings of common broker layouts, and a blank
// workbook with its mapping. They are embedded in the program, so that an office
// can start from one of them without any other file.
package templates

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
)

//go:embed *.yaml *.csv *.xlsx
var files embed.FS

// A Template is a mapping that comes with the program.
type Template struct {
	Name  string // the name of its file without .yaml
	Title string // whose rows it is for
	Text  string // the mapping itself
}

// A File belongs to a template.
type File struct {
	Name    string
	Content []byte
}

// List returns the templates in the order of their names.
func List() []Template {
	names, err := fs.Glob(files, "*.yaml")
	var list []Template
	for _, name := range names {
		content, readErr := files.ReadFile(name)
		err = errors.Join(err, readErr)
		text := string(content)
		list = append(list, Template{Name: strings.TrimSuffix(name, ".yaml"), Title: title(text), Text: text})
	}
	if err != nil {
		panic("templates: the program's own files can't be read: " + err.Error())
	}
	return list
}

// Open opens a list that a template names, by the name that the template gives
// it.
func Open(name string) (io.ReadCloser, error) { return files.Open(path.Clean(name)) }

// riders is the list in which a template may look riders up.
const riders = "riders.csv"

// Files returns what belongs to the template: its mapping first, then the list of
// riders and its blank workbook, if it has them, for the office to fill in.
func (t Template) Files() []File {
	list := []File{{t.Name + ".yaml", []byte(t.Text)}}
	for _, name := range []string{riders, t.Name + ".xlsx"} {
		content, err := files.ReadFile(name)
		if err == nil && (name != riders || strings.Contains(t.Text, "\n  rider_id: {list: "+riders)) {
			list = append(list, File{name, content})
		}
	}
	return list
}

// title returns the broker of a mapping, with the comment beside it.
func title(text string) string {
	_, rest, _ := strings.Cut(text, "\nbroker: ")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Replace(line, "   #", ",", 1)
}

// Find returns the template with that name; false if there is none.
func Find(name string) (Template, bool) {
	for _, t := range List() {
		if t.Name == name {
			return t, true
		}
	}
	return Template{}, false
}
