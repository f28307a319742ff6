package mapping

import "fmt"

// Lint returns what stands between a mapping that can be read and one that can
// be used every night: decisions that are still open, a provider that every file
// would get, tables that nothing uses, a draft that nobody has approved. Parse
// reports everything else.
func Lint(m *Mapping) Findings {
	d := m.decoder()
	d.findings = m.openDecisions()
	m.lintFiles(d)
	if m.doc.Draft {
		d.finding(position{1, 1}, "the mapping is a draft: a real import does not take it", "look at its trips with: tripimport mapping approve "+m.file+" FILE")
	}

	used := map[string]bool{}
	for _, s := range m.sources {
		if s.Table != nil {
			used[s.Table.Name.Value] = true
		}
	}

	for _, table := range m.doc.Tables {
		if !used[table.Name.Value] {
			d.finding(table.Name.position, fmt.Sprintf("nothing uses the table %q", table.Name.Value), "take it out, or name it with table:")
		}
	}

	return d.findings.sorted()
}

// openDecisions returns the decisions that the office still has to fill in.
func (m *Mapping) openDecisions() Findings {
	d := m.decoder()
	for _, s := range m.sources {
		if s.Decide.given() {
			d.finding(s.Decide.position, "a decision is still to be filled in: "+s.Decide.Value, "write the answer, in your own copy of the mapping, in place of decide: {const: ...}, or the name of a column; tripimport templates write makes a copy of a template")
		}
	}
	return d.findings.sorted()
}

// lintFiles reports a constant provider or funding source that every file with
// these columns would get. While decisions are open, no file is taken anyway.
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
