package sheet

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tripimport/importer"
)

// batchesAhead is how many batches are read ahead at most.
const batchesAhead = 4

// manyRows returns n rows of different widths in one array of cells, which the next row
// overwrites, and then what end does. reading counts the rows that were read.
func manyRows(n int, reading *atomic.Int64, end func(yield func(importer.Row, error) bool)) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		cells := make([]importer.Cell, 7)
		for i := range n {
			reading.Add(1)
			width := 1 + i*5%7
			for c := range width {
				cells[c] = importer.Cell{Type: importer.Text, Text: fmt.Sprintf("%d.%d", i, c)}
			}
			if !yield(importer.Row{Num: i + 1, Cells: cells[:width]}, nil) {
				return
			}
		}
		end(yield)
	}
}

func TestAheadGivesWhatIsRead(t *testing.T) {
	wrong := errors.New("a line is damaged")
	for _, n := range []int{0, 1, 2, 700, 20_000} {
		for name, end := range map[string]func(func(importer.Row, error) bool){
			"end":   func(func(importer.Row, error) bool) {},
			"error": func(yield func(importer.Row, error) bool) { yield(importer.Row{}, wrong) },
			"panic": func(func(importer.Row, error) bool) { panic(wrong) },
		} {
			t.Run(fmt.Sprint(n, " rows, ", name), func(t *testing.T) {
				want := collect(manyRows(n, new(atomic.Int64), end))
				if got := collect(readAhead(manyRows(n, new(atomic.Int64), end))); !slices.Equal(got, want) {
					t.Errorf("%d rows and ends, want %d; the last is %v", len(got), len(want), got[max(0, len(got)-1):])
				}
			})
		}
	}
}

// collect writes down each row, the error and the panic of a reading.
func collect(rows iter.Seq2[importer.Row, error]) (got []string) {
	defer func() {
		if r := recover(); r != nil {
			got = append(got, fmt.Sprint("panic: ", r))
		}
	}()
	for row, err := range rows {
		got = append(got, fmt.Sprint(row, err))
	}
	return got
}

// A reading that is broken off ends at once, and reads no more than fits into memory.
func TestAheadIsBrokenOff(t *testing.T) {
	for _, after := range []int{1, 700, 20_000} {
		for name, leave := range map[string]func(){"break": func() {}, "panic": func() { panic("the caller's") }} {
			t.Run(fmt.Sprint("after ", after, ", ", name), func(t *testing.T) {
				var reading atomic.Int64
				ended := false
				source := func(yield func(importer.Row, error) bool) {
					defer func() { ended = true }() // no race: ahead waits for it
					manyRows(1_000_000, &reading, nil)(yield)
				}
				func() {
					defer func() { _ = recover() }()
					n := 0
					for range readAhead(source) {
						if n++; n == after {
							leave()
							break
						}
					}
				}()
				if !ended {
					t.Error("the source is still being read")
				}
				const rowsAhead = (batchesAhead + 2) * batchSize / (40 + len("1.1"))
				if read := int(reading.Load()); read > after+rowsAhead {
					t.Errorf("%d rows were read for %d", read, after)
				}
			})
		}
	}
}

// Rows with long cells fill a batch each, so that few of them are in memory at once.
func TestAheadOfLongCells(t *testing.T) {
	long := strings.Repeat("x", batchSize)
	read := 0
	source := func(yield func(importer.Row, error) bool) {
		for read < 1000 && yield(importer.Row{Cells: []importer.Cell{{Text: long}}}, nil) {
			read++
		}
	}
	given := 0
	for range readAhead(source) {
		if given++; given == 10 {
			break
		}
	}
	if read > 10+batchesAhead+1 {
		t.Errorf("%d rows of %d bytes were read for 10", read, len(long))
	}
}
