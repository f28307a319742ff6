package tables

import (
	_ "embed"
	"strings"
)

// SchemaVersion is the version of the schema. It grows with the first change after a release; a
// ledger with another version is refused.
const SchemaVersion = 1

//go:embed schema.sql
var schemaText string

// schema returns the statements of the schema, with the names of an engine's types.
func schema(types map[string]string) []string {
	var statements []string
	var text strings.Builder
	for line := range strings.Lines(schemaText) {
		if strings.HasPrefix(line, "--") {
			continue
		}
		for name, of := range types {
			line = strings.ReplaceAll(line, " "+name, " "+of)
		}
		text.WriteString(line)
		if strings.HasSuffix(strings.TrimSpace(line), ";") {
			statements = append(statements, text.String())
			text.Reset()
		}
	}
	return statements
}
