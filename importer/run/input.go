package run

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/maphash"

	"tripimport/importer"
)

// An Input is a file with the mapping that is bound to its columns.
type Input struct {
	Source importer.Source
	Mapper importer.Mapper
	// MappingHash identifies the mapping; it does not change with comments.
	MappingHash string
	// Arrival has the Stamp and the time of reading of the file, and is Whole if the file is
	// said to have all trips of its days. The rest is found in the first pass. Of a workbook of
	// ours it is that of the schedule from which the workbook was made.
	Arrival importer.Arrival
	// Edited reports that the rows come from a workbook of ours, in which people may have fixed
	// them: they are no arrival. For a workbook of a rehearsal, and for a
	// schedule with fixed cells, Original is the schedule itself, whose rows are recorded; nil if it is
	// not there any more.
	Edited   bool
	Original *Input
	// versions are those of the words that say what the Original does, by the numbers of its rows.
	versions map[int]int64
}

// findVersions asks the ledger which rows of the Original say what their last words do. What a
// person fixed in these is the last word too, as in results of the schedule itself.
func (in *Input) findVersions(ctx context.Context, l Ledger, address string) error {
	if in.Original == nil || l == nil {
		return nil
	}
	in.versions = map[int]int64{}
	for rows, err := range in.Original.batches(false, func(importer.Row) error { return nil }) {
		if err != nil {
			return err
		}
		known, err := l.Look(ctx, address, rows)
		if err != nil {
			return err
		}
		for i := range known {
			if word := known[i].Word(); word != nil && word.Digest == known[i].Digest {
				in.versions[rows[i].Row.Num] = word.Said
			}
		}
	}
	return nil
}

// isArrival reports whether what the input, or its Original, says of its rows is recorded.
func (in *Input) isArrival() bool { return !in.Edited || in.Original != nil }

// Identify gives a row without an id the key that tells it in the ledger: that of its first copy
// in the file.
func Identify(m *importer.Mapped) {
	if m.Key.ID == "" {
		digest := sha256.Sum256(m.AppendContent(nil))
		m.Key.Cells = hex.EncodeToString(digest[:16])
	}
}

// A digester makes digests of rows, which are comparable within one run of the program. It is for
// use by one goroutine.
type digester struct {
	seed maphash.Seed
	buf  []byte // reused
}

// digest returns a digest of the row's number and its cells.
func (d *digester) digest(row importer.Row) uint64 {
	last := len(row.Cells)
	for last > 0 && row.Cells[last-1].Type == importer.Empty {
		last--
	}
	b := binary.AppendUvarint(d.buf[:0], uint64(row.Num)) //nolint:gosec // row numbers are not negative
	for i := range row.Cells[:last] {
		c := &row.Cells[i]
		if b = append(b, byte(c.Type)); c.Type != importer.Empty {
			b = append(binary.AppendUvarint(b, uint64(len(c.Text))), c.Text...)
		}
	}
	d.buf = b
	return maphash.Bytes(d.seed, b)
}
