package results

import (
	"archive/zip"
	"compress/flate"
	"fmt"
	"io"
	"strconv"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results/atomicfile"
	"tripimport/importer/results/seal"
)

// The names of the visible sheets. People may rename them.
const (
	summarySheet = "Summary"
	resultsSheet = "Results"
	tripsSheet   = "Trips"
	// byHandSheet lists booked trips which the schedule cancels or does not have any more.
	byHandSheet = "By hand"
)

// rehearsalBanner is the first line of every sheet of a rehearsal.
const rehearsalBanner = "REHEARSAL: nothing was booked"

// checkBanner is the first line of a check's Summary.
const checkBanner = "CHECK: nothing was sent"

// A workbook is results as XLSX.
type workbook struct {
	o      *Options
	sealer *seal.Sealer
	start  importer.RunStart
	file   *excelize.File
	target *atomicfile.File
	styles *styles
	input  *inputLayout
	// summary is filled in at the end.
	summary *stream
	rows    *resultsTable // the open Results sheet
	trips   *table[tripLine]
	hidden  *stream
	noted   int // the cells that have a note or, after so many, should have one
	// err is the first error that was given to keep.
	err error
}

// keep keeps the first error. row and finish return it, so that the functions that they
// call need not.
func (w *workbook) keep(err error) {
	if w.err == nil {
		w.err = err
	}
}

// createWorkbook makes an empty workbook, which has one sheet.
func createWorkbook(o *Options, sealer *seal.Sealer) (*workbook, error) {
	// Create the file first, so that a folder that can't be written to is found before
	// anything is sent.
	target, err := atomicfile.Create(o.Path)
	if err != nil {
		return nil, err
	}
	dir, err := target.Dir()
	if err != nil {
		target.Discard()
		return nil, err
	}
	file := excelize.NewFile(excelize.Options{TmpDir: dir})
	w := &workbook{o: o, sealer: sealer, target: target, file: file}
	w.styles = newStyles(w)
	return w, nil
}

func newWorkbook(o *Options, sealer *seal.Sealer, start importer.RunStart, input *inputLayout) (sink, error) {
	if most := importer.MaxRows - 2; max(start.Plan.Rows, start.Plan.Trips) > most { // below the banner and the header
		return nil, fmt.Errorf("a workbook holds at most %d rows and trips: set results_format to csv, or split the schedule", most)
	}
	w, err := createWorkbook(o, sealer)
	if err != nil {
		return nil, err
	}
	w.start, w.input = start, input
	if w.begin(); w.err != nil {
		w.abandon()
		return nil, w.err
	}
	return w, nil
}

// begin makes the sheets in their order.
func (w *workbook) begin() {
	w.summary = w.newSummary()
	w.rows = newResultsTable(w, w.input, resultsSheet)
	w.trips = newTable(w, tripsSheet, tripColumns(w.o, w.styles))
	w.trips.begin()
	w.beginHidden()
}

// beginHidden adds the hidden sheet, with which package returned reads the file. In results it
// comes before any rows, because excelize parses every sheet here.
func (w *workbook) beginHidden() {
	w.hidden = w.newStream(seal.HiddenSheet)
	w.keep(w.file.SetSheetVisible(seal.HiddenSheet, false, true))
	w.hidden.put(textCells("made by tripimport: with this sheet the file can be fed back; please leave it as it is")...)
}

// row writes a row, and its trips. On a full disk the sheets would only grow in memory.
func (w *workbook) row(shown *shownRow, r *importer.RowResult) error {
	if w.err != nil {
		return w.err
	}
	w.rows.add(shown)
	for i := range r.Trips {
		w.trips.put(w.trips.cells(tripLine{&r.Row, &r.Trips[i]})...)
	}
	return w.err
}

// finish writes the remaining sheets, and gives the file its name.
func (w *workbook) finish(s *Summary, record *seal.RunRecord, byHand []OpenItem) (string, error) {
	defer w.abandon()
	w.rows.finish()
	w.trips.finishTable(len(w.trips.columns), w.trips.at(seal.GUIDHeader)) // all columns would be too small to read
	if len(byHand) > 0 {
		w.writeItems(byHandSheet, byHand, importer.Counted(len(byHand), "booked trip that the schedule cancels, or does not have any more", "booked trips that the schedule cancels, or does not have any more")+
			". Do what is said under "+seal.FixHeader+", then write what you did in the yellow cells.")
		w.keep(w.file.MoveSheet(byHandSheet, tripsSheet))
	}
	w.writeRecord(record)
	if left := w.noted - maxNotes; left > 0 {
		s.Remarks = append(s.Remarks, "the first "+strconv.Itoa(maxNotes)+" marked cells carry a note; "+
			importer.Counted(left, "more is", "more are")+" marked without one")
	}
	if w.o.Redact {
		s.Remarks = append(s.Remarks, "redacted: ids and codes only, this file can't be fed back")
	}
	w.writeSummary(s)
	return w.save()
}

// writeTables writes a workbook that is no results file, and returns its name.
func writeTables(path string, sealer *seal.Sealer, write func(*workbook)) (string, error) {
	w, err := createWorkbook(&Options{Path: path}, sealer)
	if err != nil {
		return "", err
	}
	defer w.abandon()
	write(w)
	w.keep(w.file.DeleteSheet(w.file.GetSheetName(0))) // the empty one that it had at first
	return w.save()
}

// save writes the workbook to the disk and gives it its name.
func (w *workbook) save() (string, error) {
	if w.err != nil {
		return "", w.err
	}

	zw := zip.NewWriter(w.target)

	// The XML of sheets shrinks tenfold at any level, and the fastest level takes a third
	// of the default's time.
	zw.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestSpeed)
	})

	// By itself, excelize would build the whole file in memory. With this ZipWriter the
	// file goes to the disk.
	w.file.SetZipWriter(func(io.Writer) excelize.ZipWriter { return zw })
	if _, err := w.file.WriteToBuffer(); err != nil {
		return "", err
	}
	return w.target.Commit(w.o.Path)
}

// abandon removes the unfinished file and the temporary files.
func (w *workbook) abandon() {
	_ = w.file.Close()
	w.target.Discard()
}

// writeRecord ends the hidden sheet with the record of the run.
func (w *workbook) writeRecord(r *seal.RunRecord) {
	record, err := seal.HiddenRecord(r, w.sealer)
	w.keep(err)
	for _, line := range record {
		w.hidden.put(textCells(line...)...)
	}
	w.keep(w.hidden.Flush())
}
