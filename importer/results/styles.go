package results

import (
	"cmp"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
)

// The colours. Each repeats what a text beside it says.
const (
	colorGood    = "E2F0D9" // booked, ready
	colorFix     = "F8CBAD" // to fix
	colorPerson  = "FFD966" // a person must look
	colorWaiting = "DDEBF7" // another run
	colorSuspect = "FCE9E0" // this cell may be the cause
	colorFaulty  = "F4A083" // this cell is the cause
	colorLink    = "1D4ED8"
	colorHeader  = "D9E1F2"
	colorOnDark  = "FFFFFF"
	colorAlarm   = "C00000"
	colorLine    = "7F7F7F"
)

// styles has the numbers of a workbook's styles.
type styles struct {
	w *workbook

	// wrap is for texts, header for the headers of tables, and link for cells with a link. answer is for the cells in which a person
	// answers; what is typed into these stays as typed.
	wrap, header, link, answer int

	lines  map[LineKind]int
	status map[string]int // by colour
	source map[sourceStyle]int
}

// A sourceStyle is how a source cell is shown.
type sourceStyle struct {
	format string // the cell's own number format
	mark   mark
}

func newStyles(w *workbook) *styles {
	s := &styles{w: w, status: map[string]int{}, source: map[sourceStyle]int{}}
	var (
		typed = "@"
		bold  = font(excelize.Font{Bold: true})
		lines = &excelize.Alignment{Vertical: "top", WrapText: true}
	)
	s.wrap = s.add(excelize.Style{CustomNumFmt: &typed, Alignment: lines})
	s.header = s.add(excelize.Style{Fill: fill(colorHeader), Font: bold, Alignment: lines})
	s.link = s.add(excelize.Style{CustomNumFmt: &typed, Font: font(excelize.Font{Color: colorLink, Underline: "single"}), Alignment: lines})
	s.answer = s.add(excelize.Style{
		CustomNumFmt: &typed, Fill: fill(colorPerson), Alignment: lines, Protection: &excelize.Protection{Locked: false},
		Border: []excelize.Border{{Type: "bottom", Color: colorLine, Style: 1}}, // where the cell of one trip ends
	})
	for _, color := range []string{colorPerson, colorFix, colorWaiting, colorGood, ""} {
		s.status[color] = s.add(excelize.Style{Fill: fill(color), Font: bold, Alignment: lines})
	}
	s.lines = map[LineKind]int{
		PlainLine: s.wrap, TerminalLine: s.wrap, StepLine: s.wrap, Headline: s.header, UrgentLine: s.status[colorPerson],
		AlarmLine: s.add(excelize.Style{Fill: fill(colorAlarm), Font: font(excelize.Font{Bold: true, Color: colorOnDark}), Alignment: lines}),
	}
	return s
}

func (s *styles) add(style excelize.Style) int {
	id, err := s.w.file.NewStyle(&style)
	s.w.keep(err)
	return id
}

// font fills in the name and the size of a font that has none, because spreadsheet
// programs choose any font for one without a name.
func font(f excelize.Font) *excelize.Font {
	f.Family = cmp.Or(f.Family, "Calibri")
	f.Size = cmp.Or(f.Size, 11)
	return &f
}

func fill(color string) excelize.Fill {
	if color == "" {
		return excelize.Fill{}
	}
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{color}}
}

// statusOf returns the style of a Status cell, by what people have to do about the state. person reports that somebody has to
// act, whatever the state is.
func (s *styles) statusOf(state importer.State, person bool) int {
	color := ""
	switch {
	case person || state.NeedsPerson():
		color = colorPerson
	case state == importer.Fix || state == importer.Refused:
		color = colorFix
	case state.Missing():
		color = colorWaiting
	case state.Booked() || state == importer.Ready:
		color = colorGood
	}
	return s.status[color]
}

// sourceCell returns the style of a source cell. A style is made when it is first needed.
func (s *styles) sourceCell(format string, m mark) int {
	key := sourceStyle{format, m}
	if id, ok := s.source[key]; ok {
		return id
	}
	color := map[mark]string{suspect: colorSuspect, faulty: colorFaulty}[m]
	style := excelize.Style{Fill: fill(color), Alignment: &excelize.Alignment{Vertical: "top"}}
	if format != "" {
		style.CustomNumFmt = &format
	}

	if m == faulty {
		style.Font = font(excelize.Font{Bold: true})
		for _, side := range []string{"left", "right", "top", "bottom"} {
			style.Border = append(style.Border, excelize.Border{Type: side, Color: colorAlarm, Style: 1})
		}
	}

	s.source[key] = s.add(style)
	return s.source[key]
}
