package main

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
)

// describeProblem returns a line with a problem and its cell. For a fault, a second line says
// how to fix it, unless Fix is empty. nameFile puts the name of the file in front.
func describeProblem(row importer.Row, p importer.Problem, nameFile bool) string {
	at := row.Ref(0)
	if len(p.Cells) > 0 {
		at = p.Cells[0]
	}

	var b strings.Builder
	if nameFile {
		b.WriteString(row.File + ", ")
	}

	b.WriteString(at.String() + ": ")
	if p.Severity == importer.Notice {
		b.WriteString("notice: ")
	}
	if p.Leg == importer.ReturnLeg {
		b.WriteString(p.Leg.String() + ": ")
	}

	b.WriteString(p.Message + " [" + p.Code + "]")
	line := results.Inert(b.String())
	if p.Fix != "" && p.Severity == importer.Fault {
		line += "\n    " + results.Inert(p.Fix)
	}
	return line
}
