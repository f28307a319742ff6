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

// Schema returns the statements that make the tables. The engine names its types for bytes and for
// numbers, and how it keeps the rows of a table in the order of its key; empty if it does not.
func Schema(bytes, number, clustered string) []string {
	types := map[string]string{"BYTES": bytes, "NUMBER": number, "CLUSTERED": clustered}
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
