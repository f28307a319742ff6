package timer

import (
	"bytes"
	"embed"
	"encoding/xml"
	"fmt"
	"strings"
	"text/template"
	"time"
)

//go:embed launchd.plist systemd.service systemd.timer task.xml
var files embed.FS

// filled returns the text of a template, filled in for a job.
func filled(file string, job any) (string, error) {
	t, err := template.New(file).Funcs(template.FuncMap{
		"name":  func() string { return name },
		"every": func() time.Duration { return Every },
		"limit": func() time.Duration { return Limit },
		"text": func(s string) (string, error) {
			var b bytes.Buffer
			err := xml.EscapeText(&b, []byte(s))
			return b.String(), err
		},
		"specifiers": specifiers, "unitWord": unitWord,
		"variables": func(s string) string { return strings.ReplaceAll(s, "$", "$$") },
	}).ParseFS(files, file)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, job); err != nil {
		return "", fmt.Errorf("the schedule can't be written: %w", err)
	}
	return b.String(), nil
}

// specifiers escapes a value for a unit file of systemd, in which % begins a specifier.
func specifiers(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// unitWord quotes a word of a command line for a unit file.
func unitWord(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(text) + `"`
}
