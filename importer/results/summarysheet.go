package results

import (
	"fmt"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// A sheetWriter fills the Summary sheet from the top.
type sheetWriter struct {
	file   *excelize.File
	sheet  string
	styles *styles
	row    int
	err    error
}

// set writes a cell of the current row.
func (s *sheetWriter) set(col int, value any, style int) {
	if s.err != nil {
		return
	}
	cell, err := excelize.CoordinatesToCellName(col, s.row)
	if err == nil {
		if text, ok := value.(string); ok {
			shown, _ := showable(text)
			err = s.file.SetCellStr(s.sheet, cell, shown)
		} else {
			err = s.file.SetCellValue(s.sheet, cell, value)
		}
	}
	if err == nil && style != 0 {
		err = s.file.SetCellStyle(s.sheet, cell, cell, style)
	}
	s.err = err
}

// wide writes a text over all columns, as high as it needs.
func (s *sheetWriter) wide(text string, style int) {
	s.row++
	s.set(1, text, style)
	if s.err != nil {
		return
	}
	at := strconv.Itoa(s.row)
	if s.err = s.file.MergeCell(s.sheet, "A"+at, "D"+at); s.err != nil {
		return
	}
	if s.err = s.file.SetCellStyle(s.sheet, "A"+at, "D"+at, style); s.err != nil {
		return
	}
	// Programs don't fit the height of merged cells.
	s.err = s.file.SetRowHeight(s.sheet, s.row, float64(16*(1+len([]rune(text))/105)+4))
}

func (s *sheetWriter) heading(text string) {
	s.row++
	s.wide(text, s.styles.heading())
}

// writeSummary fills the first sheet.
func (w *workbook) writeSummary(sum *Summary) error {
	s := &sheetWriter{file: w.file, sheet: summarySheet, styles: w.styles}
	if w.h.Rehearsal {
		s.wide(rehearsalBanner, w.styles.banner())
	} else if w.h.Check {
		s.wide(checkBanner, w.styles.heading())
	}
	s.wide(sum.Sentence, w.styles.sentence())
	if sum.Alarm != "" {
		s.wide(sum.Alarm, w.styles.banner())
	}
	s.urgent(sum)
	counts := s.counts(sum)
	s.problems("What to mend, the most frequent first", sum.Problems)
	s.next(sum)
	s.problems("Good to know", sum.Notices)
	s.about(sum)
	if s.err == nil {
		s.err = w.dress(sum, counts)
	}
	if s.err == nil {
		s.err = w.styles.err
	}
	return s.err
}

// urgentShown is how many rows that need a person the Summary lists; all of
// them are in Results.
const urgentShown = 25

func (s *sheetWriter) urgent(sum *Summary) {
	if sum.UrgentRows == 0 {
		return
	}
	s.heading(fmt.Sprintf("Before the day starts: %s a person", plural(sum.UrgentRows, "row needs", "rows need")))
	wrap := s.styles.wrap()
	for i := range first(sum.Urgent, urgentShown) {
		it := &sum.Urgent[i]
		s.row++
		s.set(1, it.Where, wrap)
		s.set(2, it.Status+trail(it.TripID)+trail(it.Time), s.styles.person())
		s.set(3, it.Why, wrap)
		s.set(4, it.Do, wrap)
	}
	if more := sum.UrgentRows - min(len(sum.Urgent), urgentShown); more > 0 {
		s.wide(fmt.Sprintf("and %d more: filter Needs in Results", more), wrap)
	}
}

func trail(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + text
}

// counts writes the outcomes; it returns their first and last row, for the
// chart.
func (s *sheetWriter) counts(sum *Summary) [2]int {
	s.heading("Outcomes")
	s.row++
	for i, h := range []string{"", "Outcome", "Trips", "Rows"} {
		s.set(i+1, h, s.styles.header(true))
	}
	rows := map[string]int{}
	for _, c := range sum.Rows.Counts {
		rows[c.Code] = c.N
	}
	var of [2]int
	of[0] = s.row + 1
	for _, c := range mergedCounts(sum) {
		s.row++
		s.set(2, c.Words, s.styles.outcome(c.Code))
		s.set(3, c.Trips, s.styles.top())
		s.set(4, c.Rows, s.styles.top())
	}
	of[1] = s.row
	s.row++
	s.set(2, "all", s.styles.header(true))
	s.set(3, sum.Trips.Sum, s.styles.header(true))
	s.set(4, sum.Rows.Sum, s.styles.header(true))
	if sum.HalfBooked > 0 {
		s.wide(plural(sum.HalfBooked, "journey is", "journeys are")+" half booked: one leg is in, the other is not", s.styles.person())
	}
	if sum.TooLate > 0 {
		s.wide(plural(sum.TooLate, "trip is", "trips are")+" too late: phone now", s.styles.person())
	}
	if sum.GUIDMissing > 0 {
		s.wide(plural(sum.GUIDMissing, "trip was", "trips were")+" booked without the service telling the GUID", s.styles.person())
	}
	if sum.Balanced {
		s.wide(sum.control(), s.styles.faint())
	}
	return of
}

// A mergedCount has one outcome's trips and rows.
type mergedCount struct {
	Code, Words string
	Trips, Rows int
}

func mergedCounts(sum *Summary) []mergedCount {
	var merged []mergedCount
	for _, state := range allStates() {
		m := mergedCount{Code: state.Code(), Words: state.String()}
		m.Trips, m.Rows = sum.Trips.counted(state), sum.Rows.counted(state)
		if m.Trips+m.Rows > 0 {
			merged = append(merged, m)
		}
	}
	return merged
}

// groupsShown is how many kinds of problem the Summary lists.
const groupsShown = 30

func (s *sheetWriter) problems(title string, groups []Group) {
	if len(groups) == 0 {
		return
	}
	s.heading(title)
	s.row++
	for i, h := range []string{"Rows", "What", "First cells", mendHeader} {
		s.set(i+1, h, s.styles.header(true))
	}
	wrap := s.styles.wrap()
	for i := range first(groups, groupsShown) {
		g := &groups[i]
		s.row++
		s.set(1, g.Rows, s.styles.top())
		text := g.Message
		if g.Others > 0 {
			text += fmt.Sprintf(" (and %d like it)", g.Others)
		}
		s.set(2, text, wrap)
		s.set(3, lines(g.Cells), wrap)
		s.set(4, g.Fix, wrap)
	}
	if more := len(groups) - groupsShown; more > 0 {
		s.wide(fmt.Sprintf("and %s", plural(more, "more kind", "more kinds")), wrap)
	}
}

func (s *sheetWriter) next(sum *Summary) {
	s.heading("What to do next")
	for i, step := range sum.Next {
		s.wide(fmt.Sprintf("%d. %s", i+1, step.Say), s.styles.step())
		if step.Command != "" {
			s.wide(step.Command, s.styles.command())
		}
	}
}

// about says what these results are of.
func (s *sheetWriter) about(sum *Summary) {
	s.heading("About this run")
	add := func(label, text string) {
		if text != "" {
			s.row++
			s.set(1, label, s.styles.faint())
			s.set(2, text, s.styles.wrap())
		}
	}
	for _, in := range sum.Inputs {
		add("Input", in.Name)
	}
	add("Mapping", sum.Mapping.Name)
	for _, d := range sum.Dates {
		add("Trips on", fmt.Sprintf("%s: %d", d.Label, d.N))
	}
	add("Run", sum.Run)
	if !sum.Started.IsZero() {
		add("Started", sum.Started.Format("2006-01-02 15:04:05 -0700"))
		add("Ended", sum.Ended.Format("2006-01-02 15:04:05 -0700"))
		add("Took", sum.Ended.Sub(sum.Started).Round(1e8).String())
	}
	add("Program", sum.Program)
	for _, remark := range sum.Remarks {
		add("Remark", remark)
	}
}

// dress sets the sheet's widths, its chart, its print layout, and shows it
// first.
func (w *workbook) dress(sum *Summary, counts [2]int) error {
	for col, width := range map[string]float64{"A": 14, "B": 44, "C": 34, "D": 44} {
		if err := w.file.SetColWidth(summarySheet, col, col, width); err != nil {
			return err
		}
	}
	grid := false
	if err := w.file.SetSheetView(summarySheet, 0, &excelize.ViewOptions{ShowGridLines: &grid}); err != nil {
		return err
	}
	if counts[1] >= counts[0] {
		if err := w.chart(sum, counts); err != nil {
			return err
		}
	}
	fit := true
	if err := w.file.SetSheetProps(summarySheet, &excelize.SheetPropsOptions{FitToPage: &fit}); err != nil {
		return err
	}
	if err := printLayout(w.file, summarySheet, "", 0); err != nil {
		return err
	}
	at, err := w.file.GetSheetIndex(summarySheet)
	if err != nil {
		return err
	}
	w.file.SetActiveSheet(at)
	return nil
}

// chart draws the outcomes beside the table, each bar in its status's colour.
func (w *workbook) chart(sum *Summary, counts [2]int) error {
	column, of := "C", "Trips"
	if sum.Check {
		column, of = "D", "Rows"
	}
	var points []excelize.ChartDataPoint
	for i, c := range mergedCounts(sum) {
		points = append(points, excelize.ChartDataPoint{Index: i, Fill: fill(orElse(w.styles.outcomeColor(c.Code), colorGridLine))})
	}
	none := false
	return w.file.AddChart(summarySheet, "F2", &excelize.Chart{
		Type: excelize.Bar,
		Series: []excelize.ChartSeries{{
			Name:       of,
			Categories: fmt.Sprintf("%s!$B$%d:$B$%d", summarySheet, counts[0], counts[1]),
			Values:     fmt.Sprintf("%s!$%s$%d:$%s$%d", summarySheet, column, counts[0], column, counts[1]),
			DataPoint:  points,
		}},
		Title:     excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: of + " by outcome"}}},
		Legend:    excelize.ChartLegend{Position: "none"},
		PlotArea:  excelize.ChartPlotArea{ShowVal: true},
		XAxis:     excelize.ChartAxis{ReverseOrder: true},
		YAxis:     excelize.ChartAxis{MajorGridLines: none},
		Dimension: excelize.ChartDimension{Width: 520, Height: uint(120 + 40*len(points))},
	})
}
