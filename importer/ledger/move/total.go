package move

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// A total has the number of rows of a table and the sum of their hashes. It is the same
// for the same rows in any order.
type total struct {
	rows int
	sum  [4]uint64
}

// add counts a row. Its values are integers, texts, bytes or nil.
func (t *total) add(values []any) error {
	var row []byte
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			row = append(row, 'n')
		case int64:
			row = binary.BigEndian.AppendUint64(append(row, 'i'), uint64(v)) //nolint:gosec // the bits alone
		case string:
			row = append(binary.BigEndian.AppendUint64(append(row, 's'), uint64(len(v))), v...)
		case []byte:
			row = append(binary.BigEndian.AppendUint64(append(row, 'b'), uint64(len(v))), v...)
		default:
			return fmt.Errorf("a ledger has no values of type %T", v)
		}
	}
	t.rows++
	hash := sha256.Sum256(row)
	for i := range t.sum {
		t.sum[i] += binary.BigEndian.Uint64(hash[i*8:])
	}
	return nil
}
