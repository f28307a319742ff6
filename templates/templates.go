// Package templates carries mappings for broker layouts, and a blank workbook
// with its mapping, inside the program.
package templates

import (
	"embed"
	"fmt"
	"io"
	"path"
	"strings"
)

//go:embed *.yaml *.csv *.xlsx
var files embed.FS

// A Template is a mapping that comes with the program.
type Template struct {
	// Name is the template's, and that of its file without .yaml.
	Name string
	// Title is the mapping's own name.
	Title string
	// Text is the mapping.
	Text string
}

// A File is one that belongs to a template.
type File struct {
	Name    string
	Content []byte
}

// List gives the templates in order of their names.
func List() []Template {
	names, err := files.ReadDir(".")
	if err != nil {
		panic("templates: the program's own files can't be read: " + err.Error())
	}
	var list []Template
	for _, entry := range names {
		name, isMapping := strings.CutSuffix(entry.Name(), ".yaml")
		if !isMapping {
			continue
		}
		text := string(read(entry.Name()))
		list = append(list, Template{Name: name, Title: title(text), Text: text})
	}
	return list
}

// Open opens a table that a template names.
func Open(name string) (io.ReadCloser, error) { return files.Open(path.Clean(name)) }

// Files gives what belongs to the template: its mapping, and the tables and the
// blank workbook that stand beside it, for the office to fill in.
func (t Template) Files() ([]File, error) {
	list := []File{{t.Name + ".yaml", []byte(t.Text)}}
	for _, name := range tables(t.Text) {
		content, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("the template %s has no table %s", t.Name, name)
		}
		list = append(list, File{name, content})
	}
	if workbook, err := files.ReadFile(t.Name + ".xlsx"); err == nil {
		list = append(list, File{t.Name + ".xlsx", workbook})
	}
	return list, nil
}

func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic("templates: the program's own files can't be read: " + err.Error())
	}
	return content
}

// title gives what stands behind name: in the mapping.
func title(text string) string {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "name:"); ok {
			return strings.Trim(strings.TrimSpace(name), `"`)
		}
	}
	return ""
}

// tables gives the CSV files that a mapping names.
func tables(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		_, rest, ok := strings.Cut(line, "{file: ")
		if name, _, more := strings.Cut(rest, ","); ok && more {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// Find returns the template of that name; false where there is none.
func Find(name string) (Template, bool) {
	for _, t := range List() {
		if t.Name == name {
			return t, true
		}
	}
	return Template{}, false
}
