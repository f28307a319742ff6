package results

import (
	"errors"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/results/atomicfile"
	"tripimport/importer/results/seal"
)

// A Writer writes results as a run goes on: it is the run's Reporter. Its calls
// come one at a time.
type Writer struct {
	o         Options
	inputs    map[string]*inputLayout
	sealer    *seal.Sealer
	collector *collector
	record    seal.RunRecord
	out       sink
	written   []string
	summary   Summary
	newRiders []string
}

// A sink is a kind of results file.
type sink interface {
	// row writes a row of the input; r is its result.
	row(in *inputLayout, l *line, r *importer.RowResult) error
	// keep keeps the texts of cells that the file can't show as they were.
	keep([]original) error
	// finish writes what comes last and puts the file in its place. It
	// returns the names of what was written, also where it then fails.
	finish(s *Summary, record *seal.RunRecord) ([]string, error)
	// abandon drops what was not finished; nothing after finish.
	abandon()
}

// New prepares results. Nothing is written before Start.
func New(o Options) (*Writer, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	w := &Writer{o: o, inputs: map[string]*inputLayout{}}
	own := seal.ReservedHeaders(o.Legs)
	for i, in := range o.Inputs {
		w.inputs[in.Name] = newInputLayout(in, i+1, own)
	}
	return w, nil
}

// Start begins the file. It implements importer.Reporter.
func (w *Writer) Start(h importer.RunStart) error {
	w.sealer = seal.NewSealer(w.o.Key, h.Run.ID)
	w.collector = newCollector(h, w.o.Redact)
	w.record = newRunRecord(&w.o, h)
	states := make([]*inputLayout, len(w.o.Inputs))
	for i, in := range w.o.Inputs {
		states[i] = w.inputs[in.Name]
		w.record.Inputs[i].Shown = states[i].shown
	}
	// A nil pointer in w.out would not be nil.
	if w.o.Format == CSV {
		out, err := newCSVSink(&w.o, &w.record, states)
		if err != nil {
			return err
		}
		w.out = out
		return nil
	}
	out, err := newWorkbook(&w.o, h, states)
	if err != nil {
		return err
	}
	w.out = out
	return nil
}

// Row writes a row. It implements importer.Reporter.
func (w *Writer) Row(r importer.RowResult) error {
	if w.out == nil {
		return errors.New("results were not started")
	}
	in := w.inputs[r.Row.File]
	if in == nil {
		return fmt.Errorf("a row of an input file that the results don't know: row %d", r.Row.Num)
	}
	l := w.describe(&r)
	w.collector.add(&r, &l)
	if w.o.FailedOnly && l.needs == needsNothing {
		return nil
	}
	originals := in.addSource(&l, &r, w.sealer, w.o.Format)
	if w.o.Redact {
		l.redact()
		originals = nil
	}
	w.record.Rows++
	if err := w.out.keep(originals); err != nil {
		return err
	}
	return w.out.row(in, &l, &r)
}

// redact leaves ids and codes only: no source cells, no key to feed them back.
func (l *line) redact() {
	for i := range l.cells {
		l.cells[i] = importer.Cell{}
	}
	l.surplus, l.notes, l.key = nil, nil, ""
}

// End writes the Summary and puts the file in its place. It implements
// importer.Reporter.
func (w *Writer) End(e importer.RunResult) error {
	if w.out == nil {
		return errors.New("results were not started")
	}
	w.summary = w.collector.summary(e)
	w.summary.Ended = w.o.Now()
	if !w.o.Redact {
		w.summary.NewRiders = w.newRiders
	}
	w.o.Path = atomicfile.FreeName(w.o.Path)
	w.summary.plan(&w.o.Commands, w.o.Path)
	var err error
	w.written, err = w.out.finish(&w.summary, &w.record)
	w.summary.Files = append(w.summary.Files, w.written...)
	return err
}

// Close drops what was not finished. It does nothing after End.
func (w *Writer) Close() {
	if w.out != nil {
		w.out.abandon()
	}
}

// NewRider takes note of a rider id that was never booked before: the provider
// may have to add the rider. It is to be told before End.
func (w *Writer) NewRider(id string) { w.newRiders = append(w.newRiders, id) }

// WrittenTo gives the files that were written, once End has returned. Their
// names may not be the one asked for: see Options.Path.
func (w *Writer) WrittenTo() []string { return w.written }

// Summary gives what the run came to, once End has returned.
func (w *Writer) Summary() *Summary { return &w.summary }

// newRunRecord makes the record of the run.
func newRunRecord(o *Options, h importer.RunStart) seal.RunRecord {
	record := seal.RunRecord{
		Run: h.Run.ID, Ledger: h.Ledger, Rehearsal: h.Rehearsal, Check: h.Check, Redacted: o.Redact,
		Mapping: o.Mapping, Fresh: o.Commands.Fresh,
	}
	if h.Ledger == "" {
		record.OwnSecret = o.Key
	}
	for _, in := range o.Inputs {
		record.Inputs = append(record.Inputs, seal.ShownInput{Input: in})
	}
	return record
}
