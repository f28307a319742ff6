package results

import (
	"github.com/xuri/excelize/v2"

	"tripimport/importer"
)

// The colours. None of them says anything that a text does not say as well.
const (
	colorGood    = "E2F0D9" // booked, ready
	colorFault   = "F8CBAD" // to fix
	colorPerson  = "FFD966" // a person must look
	colorWaiting = "DDEBF7" // another run
	colorPale    = "FCE9E0" // one of these cells may be the cause
	colorGuilty  = "F4A083" // this cell is the cause
	colorNoticed = "FFF2CC" // there is a notice about this cell
	colorHeading = "1F3864"
	colorOwn     = "D9E1F2" // the header of our own columns
	colorSource  = "EDEDED" // the header of the source columns
	colorOnDark  = "FFFFFF"
	colorAlarm   = "C00000"
	colorFaint   = "7F7F7F"
	colorBar     = "5B7DB1"
)

// styles makes each style of a workbook once.
type styles struct {
	file *excelize.File
	made map[styleKey]int
	err  error
}

type styleKey struct{ name, format, fill string }

func newStyles(f *excelize.File) *styles {
	return &styles{file: f, made: map[styleKey]int{}}
}

// get gives the style's number, making it where it is new. An error is kept
// for the end: a workbook without one style is still the results.
func (s *styles) get(key styleKey, make func() *excelize.Style) int {
	if id, ok := s.made[key]; ok {
		return id
	}
	id, err := s.file.NewStyle(make())
	if err != nil && s.err == nil {
		s.err = err
	}
	s.made[key] = id
	return id
}

// font gives the font its name and size where it has none: a style with a font
// that has no name is shown in any.
func font(f excelize.Font) *excelize.Font {
	f.Family = orElse(f.Family, "Calibri")
	if f.Size == 0 {
		f.Size = 11
	}
	return &f
}

func fill(color string) excelize.Fill {
	if color == "" {
		return excelize.Fill{}
	}
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{color}}
}

// source is a source cell's style: its own number format, and its mark.
func (s *styles) source(format string, m mark) int {
	color := markColor(m)
	return s.get(styleKey{"source", format, color}, func() *excelize.Style {
		st := &excelize.Style{Fill: fill(color), Alignment: &excelize.Alignment{Vertical: "top"}}
		if format != "" {
			st.CustomNumFmt = &format
		}
		if m == guilty {
			st.Font = font(excelize.Font{Bold: true})
			st.Border = []excelize.Border{
				{Type: "left", Color: colorAlarm, Style: 1},
				{Type: "right", Color: colorAlarm, Style: 1},
				{Type: "top", Color: colorAlarm, Style: 1},
				{Type: "bottom", Color: colorAlarm, Style: 1},
			}
		}
		return st
	})
}

func markColor(m mark) string {
	switch m {
	case pale:
		return colorPale
	case noticed:
		return colorNoticed
	case guilty:
		return colorGuilty
	default:
		return ""
	}
}

// status is the style of a Status cell.
func (s *styles) status(state importer.State, half bool) int {
	color := stateColor(state, half)
	return s.get(styleKey{"status", "", color}, func() *excelize.Style {
		return &excelize.Style{
			Fill: fill(color), Font: font(excelize.Font{Bold: true}),
			Alignment: &excelize.Alignment{Vertical: "top", WrapText: true},
		}
	})
}

func stateColor(state importer.State, half bool) string {
	if half || personState(state) {
		return colorPerson
	}
	switch state {
	case importer.Refused, importer.Invalid:
		return colorFault
	case importer.NotSent, importer.Held:
		return colorWaiting
	case importer.Created, importer.AlreadyCreated, importer.Ready:
		return colorGood
	default:
		return ""
	}
}

// wrap is the style of our own texts, text that of ids: what is typed there
// stays as typed.
func (s *styles) wrap() int {
	return s.get(styleKey{name: "wrap"}, func() *excelize.Style {
		format := "@"
		return &excelize.Style{CustomNumFmt: &format, Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}}
	})
}

func (s *styles) text() int {
	return s.get(styleKey{name: "text"}, func() *excelize.Style {
		format := "@"
		return &excelize.Style{CustomNumFmt: &format, Alignment: &excelize.Alignment{Vertical: "top"}}
	})
}

// answer is where a person writes what was found.
func (s *styles) answer() int {
	return s.get(styleKey{name: "answer"}, func() *excelize.Style {
		format := "@"
		return &excelize.Style{
			CustomNumFmt: &format, Fill: fill(colorPerson),
			Alignment: &excelize.Alignment{Vertical: "top", WrapText: true},
		}
	})
}

func (s *styles) top() int {
	return s.get(styleKey{name: "top"}, func() *excelize.Style {
		return &excelize.Style{Alignment: &excelize.Alignment{Vertical: "top"}}
	})
}

// header is the style of a header cell, of our own columns or of the source's.
func (s *styles) header(own bool) int {
	color := colorSource
	if own {
		color = colorOwn
	}
	return s.get(styleKey{"header", "", color}, func() *excelize.Style {
		return &excelize.Style{
			Fill: fill(color), Font: font(excelize.Font{Bold: true}),
			Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
			Border:    []excelize.Border{{Type: "bottom", Color: colorFaint, Style: 1}},
		}
	})
}

func (s *styles) banner() int {
	return s.get(styleKey{name: "banner"}, func() *excelize.Style {
		return &excelize.Style{Fill: fill(colorAlarm), Font: font(excelize.Font{Bold: true, Color: colorOnDark, Size: 14})}
	})
}

// The styles of the Summary.

func (s *styles) sentence() int {
	return s.get(styleKey{name: "sentence"}, func() *excelize.Style {
		return &excelize.Style{
			Font:      font(excelize.Font{Bold: true, Size: 13, Color: colorHeading}),
			Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
		}
	})
}

func (s *styles) heading() int {
	return s.get(styleKey{name: "heading"}, func() *excelize.Style {
		return &excelize.Style{
			Fill: fill(colorHeading), Font: font(excelize.Font{Bold: true, Color: colorOnDark}),
			Alignment: &excelize.Alignment{Vertical: "center"},
		}
	})
}

func (s *styles) person() int {
	return s.get(styleKey{name: "person"}, func() *excelize.Style {
		return &excelize.Style{
			Fill: fill(colorPerson), Font: font(excelize.Font{Bold: true}),
			Alignment: &excelize.Alignment{Vertical: "top", WrapText: true},
		}
	})
}

// number is the style of a count before a text, total that of a sum, alert
// that of a count that needs a person.
func (s *styles) number() int { return s.count("number", "") }
func (s *styles) total() int  { return s.count("total", colorOwn) }
func (s *styles) alert() int  { return s.count("alert", colorPerson) }

func (s *styles) count(name, color string) int {
	return s.get(styleKey{name: name}, func() *excelize.Style {
		return &excelize.Style{
			Fill: fill(color), Font: font(excelize.Font{Bold: color != ""}),
			Alignment: &excelize.Alignment{Vertical: "top", Horizontal: "center"},
		}
	})
}

func (s *styles) faint() int {
	return s.get(styleKey{name: "faint"}, func() *excelize.Style {
		return &excelize.Style{Font: font(excelize.Font{Color: colorFaint}), Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}}
	})
}

func (s *styles) step() int {
	return s.get(styleKey{name: "step"}, func() *excelize.Style {
		return &excelize.Style{Font: font(excelize.Font{Bold: true}), Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}}
	})
}

func (s *styles) command() int {
	return s.get(styleKey{name: "command"}, func() *excelize.Style {
		return &excelize.Style{
			Fill: fill(colorSource), Font: font(excelize.Font{Family: "Consolas"}),
			Alignment: &excelize.Alignment{Vertical: "top", WrapText: true, Indent: 1},
		}
	})
}

// outcome is the style of an outcome's name in the table of counts.
func (s *styles) outcome(code string) int {
	color := s.outcomeColor(code)
	return s.get(styleKey{"outcome", "", color}, func() *excelize.Style {
		return &excelize.Style{Fill: fill(color), Alignment: &excelize.Alignment{Vertical: "top"}}
	})
}

func (s *styles) outcomeColor(code string) string {
	for _, state := range allStates() {
		if state.Code() == code {
			return stateColor(state, false)
		}
	}
	return ""
}

// allStates gives the states, the worst first.
func allStates() []importer.State {
	states := make([]importer.State, importer.StateCount)
	for i := range states {
		states[i] = importer.State(i)
	}
	return states
}
