package results

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"tripimport/importer/results/atomicfile"

	"tripimport/importer"
)

// Embedded files can only be variables.
var (
	//go:embed page.html
	pageTemplate string
	//go:embed page.js
	pageScript string
)

// PageName returns the name of the page beside a results file:
// schedule.xlsx.20261202T031500Z.results.html.
func PageName(results string) string {
	return strings.TrimSuffix(results, filepath.Ext(results)) + ".html"
}

// WritePage writes the Summary as a page in one file and returns its name: path, or a
// similar name if path is taken. The page loads no other files.
func (s *Summary) WritePage(path string) (string, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	if err := s.HTML(f); err != nil {
		return "", err
	}
	return f.Commit(path)
}

// HTML writes the Summary as a page. Texts are escaped: the content of a cell
// can't become markup or script.
func (s *Summary) HTML(w io.Writer) error {
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, newPage(s))
}

// A page is the data of the template.
type page struct {
	Summary   *Summary
	Title     string
	Banner    string
	About     string
	Control   string
	Files     bool // there are several inputs, so that each row names its file
	Left      int  // the number of rows that need a person and are not listed
	Charts    []barChart
	Hours     []hourBar
	HoursText string
	Groups    []pageGroup
	Details   []string
	Policy    string
	Script    template.JS
}

// A pageGroup is a table of problems.
type pageGroup struct {
	Title string
	List  []Group
}

// A barChart has a bar for each label. The longest bar has a Width of 1000.
type barChart struct {
	Title  string
	Bars   []pageBar
	Others int
}

// A pageBar is one bar of a chart, in the colour of its class.
type pageBar struct {
	Label string
	Class string
	N     int
	Width int
}

// An hourBar is a column of the chart of hours, in the units of its view box.
type hourBar struct {
	Label                       string
	N                           int
	X, Y, Height, Middle, Above int
	Tick                        bool
}

func newPage(s *Summary) *page {
	p := &page{
		Summary: s, Title: "Trips: results", Control: s.control(),
		Files: len(s.Inputs) > 1, Left: s.UrgentRows - len(s.Urgent),
		Script: template.JS(pageScript), // our own file, no data in it
		Groups: []pageGroup{{"What to fix, the most frequent first", s.Problems}, {"Good to know", s.Notices}},
	}

	// The only script that may run is ours, known by its hash.
	hash := sha256.Sum256([]byte(pageScript))
	p.Policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(hash[:]) + "'"

	switch {
	case s.Rehearsal:
		p.Banner = rehearsalBanner
	case s.Check:
		p.Banner = checkBanner
	}

	var names []string
	for _, in := range s.Inputs {
		names = append(names, in.Name)
	}

	if len(names) > 0 {
		p.Title += " of " + strings.Join(names, ", ")
	}
	p.About = s.aboutLine(names)
	p.charts()
	p.details()
	return p
}

// aboutLine names the inputs, the days of service and the time at which the run ended.
func (s *Summary) aboutLine(names []string) string {
	said := []string{strings.Join(names, ", ")}
	for i, d := range first(s.Dates, 5) {
		if i == 0 {
			said = append(said, fmt.Sprintf("trips on %s", d.Label))
			continue
		}
		said = append(said, d.Label)
	}
	if !s.Ended.IsZero() {
		said = append(said, "ended "+s.Ended.Format("2006-01-02 15:04 MST"))
	}
	return strings.Join(said, " · ")
}

// barsShown is the largest number of bars of a chart.
const barsShown = 12

// charts makes the bar charts and the chart of hours.
func (p *page) charts() {
	tally, of := p.Summary.Trips, "Trips by outcome"
	if p.Summary.Check {
		tally, of = p.Summary.Rows, "Rows by outcome"
	}
	outcomes := barChart{Title: of}
	for _, c := range tally.Counts {
		outcomes.Bars = append(outcomes.Bars, pageBar{Label: c.Words, Class: groupOf(c.state).appearance().bar, N: c.N})
	}

	p.Charts = append(p.Charts, outcomes.scaled())
	for _, c := range []struct {
		title string
		bars  []Bar
	}{{"Trips by funding source", p.Summary.Funding}, {"Trips by space type", p.Summary.Spaces}} {
		if len(c.bars) == 0 {
			continue
		}
		chart := barChart{Title: c.title, Others: max(0, len(c.bars)-barsShown)}
		for _, b := range first(c.bars, barsShown) {
			chart.Bars = append(chart.Bars, pageBar{Label: b.Label, Class: "waiting", N: b.N})
		}
		p.Charts = append(p.Charts, chart.scaled())
	}
	p.hours()
}

// scaled sets the widths of the bars in proportion to the longest one. A minimum width
// keeps short bars visible.
func (c barChart) scaled() barChart {
	longest := 1
	for _, b := range c.Bars {
		longest = max(longest, b.N)
	}
	for i := range c.Bars {
		c.Bars[i].Width = max(6, 1000*c.Bars[i].N/longest)
	}
	return c
}

// hours makes the chart of the hours in which trips begin.
func (p *page) hours() {
	highest, all := 0, 0
	for _, h := range p.Summary.Hours {
		highest, all = max(highest, h.N), all+h.N
	}

	if highest == 0 {
		return
	}

	var said []string
	for i, h := range p.Summary.Hours {
		b := hourBar{Label: h.Label, N: h.N, X: 21*i + 2, Height: max(2, 100*h.N/highest), Middle: 21*i + 10, Tick: i%3 == 0}
		b.Y = 126 - b.Height
		b.Above = b.Y - 4
		p.Hours = append(p.Hours, b)
		if h.N > 0 {
			said = append(said, fmt.Sprintf("%s:00 %d", h.Label, h.N))
		}
	}

	p.HoursText = importer.Counted(all, "trip", "trips") + " by the hour they begin: " + strings.Join(said, ", ")
}

// details lists the inputs, the mapping, the run and the files.
func (p *page) details() {
	s := p.Summary
	add := func(label, text string) {
		if text != "" {
			p.Details = append(p.Details, label+": "+text)
		}
	}

	for _, in := range s.Inputs {
		add("Input", in.Name)
	}

	add("Mapping", s.Mapping.Name)
	add("Run", s.Run)
	for _, f := range s.Files {
		add("Results", filepath.Base(f))
	}

	add("Program", s.Program)
	for _, r := range s.Remarks {
		add("Remark", r)
	}
}
