package results

import (
	"path/filepath"
	"slices"

	"tripimport/importer"
	"tripimport/importer/results/atomicfile"
	"tripimport/importer/results/seal"
)

// A Writer writes results during a run. It implements importer.Reporter, whose methods
// are called one at a time. The caller must call Close in the end, also after an error.
type Writer struct {
	o         Options
	layout    *inputLayout
	sealer    *seal.Sealer
	collector *collector
	record    seal.RunRecord
	out       sink
	summary   Summary
	byHand    []OpenItem
}

// A sink is a kind of results file.
type sink interface {
	// row writes a row of the input; r is its result.
	row(shown *shownRow, r *importer.RowResult) error
	// finish writes the rest of the file, and gives it its name.
	finish(s *Summary, record *seal.RunRecord, byHand []OpenItem) (name string, err error)
	// abandon removes the unfinished file. It does nothing after finish.
	abandon()
}

// New prepares results. Nothing is written before Start.
func New(o Options) *Writer {
	o.Path = filepath.Clean(o.Path)
	return &Writer{o: o, layout: newInputLayout(o.Input)}
}

// Start begins the file, if there is one. It implements importer.Reporter.
func (w *Writer) Start(h importer.RunStart) error {
	w.sealer = seal.NewSealer(w.o.Key, h.Run.ID)
	w.record = newRunRecord(&w.o, h)
	w.record.Input = w.layout.Input
	var err error
	switch {
	case w.o.NoFile:
	case w.o.Format.isText():
		w.out, err = newCSVSink(&w.o, w.sealer, w.layout)
	default:
		w.out, err = newWorkbook(&w.o, w.sealer, h, w.layout)
	}
	w.collector = newCollector(h)
	return err
}

// Row writes a row. It implements importer.Reporter.
func (w *Writer) Row(r importer.RowResult) error {
	if w.o.Redact {
		r = redacted(&r)
	}
	shown := w.show(&r)
	w.collector.add(&r, &shown)
	for i := range r.Trips {
		if r.Trips[i].Outcome.State == importer.CancelByHand {
			w.byHand = append(w.byHand, NewItem(&r, i, w.layout.names, w.o.Location))
		}
	}
	if w.o.NoFile {
		return nil
	}
	return w.write(shown, r)
}

// write writes a row to the file.
func (w *Writer) write(shown shownRow, r importer.RowResult) error {
	w.layout.addSource(&shown, &r, w.sealer, w.o.Format)
	w.record.Rows++
	if unbooked(&r) {
		w.addUnbooked(&r)
	}
	return w.out.row(&shown, &r)
}

// addUnbooked adds a row to the list by which package returned finds deleted rows.
func (w *Writer) addUnbooked(r *importer.RowResult) {
	w.record.UnbookedRows++
	if len(w.record.Unbooked) >= maxItems {
		return
	}

	ids := importer.Each(r.Trips, func(t importer.TripResult) string { return t.Trip.ID })
	w.record.Unbooked = append(w.record.Unbooked, seal.UnbookedRow{Row: r.Row.Num, Trips: ids})
}

// End writes the Summary and gives the file its name. It implements
// importer.Reporter.
func (w *Writer) End(e importer.RunResult) error {
	if w.o.Redact {
		e.Gone = redactedTrips(e.Gone)
	}
	for i := range e.Gone {
		row := importer.RowResult{Trips: e.Gone[i : i+1]}
		row.Summarize()
		shown := w.show(&row)
		w.collector.addGone(&row, &shown)
		w.byHand = append(w.byHand, NewItem(&row, 0, NameColumns{}, w.o.Location))
	}
	sortItems(w.byHand)
	w.summary = w.collector.summary(e)
	w.summary.Ended = w.o.Now()
	w.summary.addDeleted(&w.o)
	w.o.Path = atomicfile.FreeName(w.o.Path)
	commands := w.o.Commands(w.o.Path)
	w.summary.addSteps(&commands)

	if w.o.NoFile {
		return nil
	}
	w.record.Fresh, w.record.Number = commands.Fresh, w.o.Number()
	out := w.out
	w.out = nil // it removes what it does not finish
	name, err := out.finish(&w.summary, &w.record, w.byHand)
	if err != nil {
		return err
	}
	w.summary.Files = append(w.summary.Files, name)
	return nil
}

// Close removes an unfinished file. It does nothing after End.
func (w *Writer) Close() {
	if w.out != nil {
		w.out.abandon()
	}
}

// Summary returns the run's Summary, once End has returned. The caller may change it. Its Files has the name of
// the file, which may differ from Options.Path.
func (w *Writer) Summary() *Summary { return &w.summary }

// newRunRecord makes the record of the run, without its input.
func newRunRecord(o *Options, h importer.RunStart) seal.RunRecord {
	record := seal.RunRecord{
		Run: h.Run.ID, Ledger: h.Ledger, Rehearsal: h.Rehearsal, Check: h.Check, Redacted: o.Redact,
		Mapping: o.Mapping,
	}
	record.Unbooked = slices.DeleteFunc(slices.Clone(first(o.Deleted, maxItems)), func(row UnbookedRow) bool { return row.Row == 0 })
	record.UnbookedRows = len(record.Unbooked)
	return record
}
