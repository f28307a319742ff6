package results

import (
	"strings"

	"tripimport/importer"
)

// A mark says how a source cell is shown.
type mark uint8

const (
	unmarked mark = iota
	pale          // the row was refused as a whole, or is at fault as a whole
	noticed       // a notice is about it
	guilty        // a fault is about it
)

// A line is a row of the Results as every format writes it.
type line struct {
	state   importer.State
	half    bool
	missing bool // a trip is booked and its GUID is not known
	status  string
	guids   []string
	problem []string
	fix     []string
	where   []string
	notice  []string
	needs   need
	row     int
	key     string
	// cells are the source cells in the order of the input's columns, and
	// marks and notes belong to them; surplus are the cells to the right of
	// these.
	cells   []importer.Cell
	marks   []mark
	notes   map[int]string
	surplus []string
}

// describe makes the line of a row, but for its source cells and key.
func (w *Writer) describe(r *importer.RowResult) line {
	l := line{
		state:  r.State,
		half:   r.HalfBooked,
		status: statusWords(r),
		needs:  needOf(r),
		row:    r.Row.Num,
		guids:  guidsOf(r, w.o.Legs),
	}
	w.describeProblems(&l, r)
	if r.LeftOut != "" {
		l.notice = addLine(l.notice, "left out: "+r.LeftOut)
	}
	for i := range r.Trips {
		t := &r.Trips[i]
		l.missing = l.missing || t.Outcome.GUIDMissing
		l.problem = addLine(l.problem, onLeg(t.Trip.Leg, w.redactTrip(t)))
		l.notice = addLine(l.notice, onLeg(t.Trip.Leg, tripNotice(t, w.o.Location)))
		if t.Outcome.State == importer.Refused && importer.Faulty(t.Trip.Problems) {
			continue
		}
		l.fix = addLine(l.fix, onLeg(t.Trip.Leg, tripFix(t)))
	}
	return l
}

func (w *Writer) describeProblems(l *line, r *importer.RowResult) {
	for i := range r.Problems {
		p := &r.Problems[i]
		leg := legOf(r, p)
		text, fix := onLeg(leg, p.Message), p.Fix
		if w.o.Redact {
			text, fix = onLeg(leg, p.Code), ""
		}
		for _, ref := range p.Cells {
			l.where = addLine(l.where, ref.String())
		}
		if p.Severity == importer.Notice {
			l.notice = addLine(l.notice, text)
			continue
		}
		l.problem = addLine(l.problem, text)
		l.fix = addLine(l.fix, fix)
	}
}

// legOf gives the leg that a problem belongs to; OnlyLeg for one that legs
// share, which is said once for all.
func legOf(r *importer.RowResult, p *importer.Problem) importer.Leg {
	for i := range r.Trips {
		t := &r.Trips[i].Trip
		if t.Leg == p.Leg {
			continue
		}
		for j := range t.Problems {
			q := &t.Problems[j]
			if q.Code == p.Code && q.Message == p.Message {
				return importer.OnlyLeg
			}
		}
	}
	return p.Leg
}

// redactTrip is tripProblem, without the service's own text in redacted
// results.
func (w *Writer) redactTrip(t *importer.TripResult) string {
	if !w.o.Redact {
		return tripProblem(t, w.o.Location)
	}
	bare := *t
	bare.Outcome.Message, bare.Outcome.Reason = "", ""
	return tripProblem(&bare, w.o.Location)
}

// guidsOf gives the GUIDs by leg, as many as there are columns for them; the
// last column takes those that are left.
func guidsOf(r *importer.RowResult, legs int) []string {
	guids := make([]string, legs)
	for i := range r.Trips {
		t := &r.Trips[i]
		at := max(0, int(t.Trip.Leg)-1)
		if at >= legs {
			at = legs - 1
		}
		guids[at] = strings.TrimSpace(guids[at] + " " + t.Outcome.GUID)
	}
	return guids
}

// ownTexts gives a line's own cells in the order of seal.OwnHeaders; the row's
// number comes last and is a number.
func (l *line) ownTexts() []string {
	texts := append([]string{l.status}, l.guids...)
	return append(texts, lines(l.problem), lines(l.fix), lines(l.where), lines(l.notice), "", string(l.needs))
}

// lines puts several texts into one cell, a line each.
func lines(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return "• " + strings.Join(texts, "\n• ")
}
