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
	types := strings.NewReplacer(" BYTES", " "+bytes, " NUMBER", " "+number, " CLUSTERED", " "+clustered, "\r", "")
	return strings.SplitAfter(strings.TrimSpace(types.Replace(schemaText)), ";\n")
}
