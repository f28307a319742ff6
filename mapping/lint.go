package mapping

import (
	"fmt"
)

// Lint returns what still keeps a valid mapping from being used every night: what is open, a
// provider that every file would get. Who approved it is in the ledger. Parse reports everything else.
func Lint(m *Mapping) Findings {
	d := m.decoder()
	d.findings = m.Open()
	m.lintFiles(d)
	return d.findings.sorted()
}

// lintFiles reports a constant provider or funding source that every file with
// these columns would get. While something is open, no file is taken anyway.
func (m *Mapping) lintFiles(d *decoder) {
	if len(m.doc.Files) > 0 || len(d.findings) > 0 {
		return
	}
	for _, s := range []*source{m.doc.Trip.Provider, m.doc.Trip.FundingSource} {
		if s != nil && s.Const.given() {
			d.finding(s.Const.position, fmt.Sprintf("%q is the same for every file that has these columns, and no files: says which files are meant", s.Const.Value), `add files: with the names of the broker's exports, such as "lakeshore_*.csv"`)
		}
	}
}
