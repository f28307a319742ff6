// Package templates contains the mappings of common broker layouts, and a blank
// workbook with its mapping. They are embedded in the program, so that an office
// can start from one of them without any other file.
package templates

import (
	"embed"
	"errors"
	"fmt"
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

// Files returns what belongs to the template: its mapping first, then the lists
// that it names and its blank workbook, if it has them, for the office to fill
// in.
func (t Template) Files() ([]File, error) {
	list := []File{{t.Name + ".yaml", []byte(t.Text)}}
	for _, name := range lists(t.Text) {
		content, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("the template %s has no list %s", t.Name, name)
		}
		list = append(list, File{name, content})
	}
	if workbook, err := files.ReadFile(t.Name + ".xlsx"); err == nil {
		list = append(list, File{t.Name + ".xlsx", workbook})
	}
	return list, nil
}

// title returns the broker of a mapping, with the comment beside it.
func title(text string) string {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "broker:"); ok {
			name, more, _ := strings.Cut(name, "#")
			return strings.TrimSuffix(strings.Trim(strings.TrimSpace(name), `"`)+", "+strings.TrimSpace(more), ", ")
		}
	}
	return ""
}

// lists returns the CSV files that a mapping names, other than in a comment.
func lists(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		_, rest, ok := strings.Cut(line, "{list: ")
		if name, _, more := strings.Cut(rest, ","); ok && more && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
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
