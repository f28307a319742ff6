package xlsx

import (
	"bytes"
	"math"
	"strconv"

	"tripimport/importer"
)

// appendNumber appends the text of the cell whose raw value is raw, and gives
// the cell's type, which the format decides: a date, a time, an elapsed time, or
// a number. It reports false if raw is not a decimal number.
func appendNumber(dst, raw []byte, f format, date1904 bool) ([]byte, importer.CellType, bool) {
	short := isShortest(raw)
	if short && f.code == "" {
		return append(dst, raw...), importer.Number, true
	}
	if !short && !isDecimal(raw) {
		return dst, 0, false
	}

	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.IsInf(v, 0) {
		return dst, 0, false
	}

	var s section
	if len(f.sections) > 0 {
		s = f.section(v)
	}

	switch s.kind {
	case dateOnly, timeOnly, dateAndTime, elapsedTime:
		if out, t := appendSerial(dst, v, s, date1904); t != importer.Number {
			return out, t, true
		}
	case paddedNumber:
		return s.appendPattern(dst, v), importer.Number, true
	}
	return appendShortest(dst, raw, v, short), importer.Number, true
}

// appendShortest appends the shortest decimal form of v, the value of raw. short
// says that raw has this form already; then raw is appended as it is, so that a
// long id keeps digits that a float64 does not have.
func appendShortest(dst, raw []byte, v float64, short bool) []byte {
	if short {
		return append(dst, raw...)
	}
	if a := math.Abs(v); v != 0 && (a < 1e-6 || a >= 1e21) && bytes.ContainsAny(raw, "eE.") {
		return strconv.AppendFloat(dst, v, 'e', -1, 64)
	}
	if v == 0 {
		return append(dst, '0') // never -0
	}

	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}

// isShortest reports whether raw is a number in its shortest form: a whole
// number of any length without leading zeros, or a decimal fraction of at most
// 15 digits without trailing zeros.
func isShortest(raw []byte) bool {
	b := raw
	if len(b) > 1 && b[0] == '-' {
		b = b[1:]
	}

	n := digitsEnd(b, 0)
	if n == 0 || (b[0] == '0' && n > 1) {
		return false
	}
	if n == len(b) {
		return b[0] != '0' || len(raw) == 1
	}
	if b[n] != '.' || len(b) > 16 {
		return false
	}

	m := digitsEnd(b, n+1)
	return m == len(b) && m > n+1 && b[m-1] != '0'
}

// digitsEnd returns the index after the digits that begin at b[i].
func digitsEnd(b []byte, i int) int {
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	return i
}

// isDecimal reports whether raw has only characters of a decimal number, since
// ParseFloat also accepts infinities, hexadecimal numbers and underscores.
func isDecimal(raw []byte) bool {
	return len(raw) > 0 && len(bytes.Trim(raw, "0123456789.-+eE")) == 0
}

// appendPattern appends v as a padded format shows it: 6083 in 00000 is 06083,
// 21450012 in 00000-0000 is 02145-0012. It keeps decimals that the format does
// not show, in their shortest form.
func (s section) appendPattern(dst []byte, v float64) []byte {
	var room [64]byte
	digits := strconv.AppendFloat(room[:0], math.Abs(v), 'f', -1, 64)
	var decimals []byte
	if i := bytes.IndexByte(digits, '.'); i >= 0 {
		digits, decimals = digits[:i], digits[i:]
	}

	if v < 0 && !s.ownSign {
		dst = append(dst, '-')
	}
	return append(s.layOut(dst, digits), decimals...)
}

// layOut appends the pattern with the digits of a whole number in it, aligned to
// the right. Digits beyond the pattern's go before its first one.
func (s section) layOut(dst, digits []byte) []byte {
	places := 0
	for i := range s.pattern {
		if !s.literal[i] {
			places++
		}
	}

	spare := max(0, len(digits)-places)
	missing := max(0, places-len(digits))
	started := false
	next := 0
	for i, c := range s.pattern {
		switch {
		case s.literal[i]:
			dst = append(dst, c)
		case missing > 0:
			missing--
			if started = started || c == '0'; started {
				dst = append(dst, '0')
			}
		default:
			started = true
			dst = append(dst, digits[next:next+spare+1]...)
			next += spare + 1
			spare = 0
		}
	}

	return dst
}
