package xlsx

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// numberText returns the text of the cell whose raw value is raw, and its
// type, which the format decides: a date, a time, an elapsed time, or
// a number. It reports false if raw is not a decimal number.
func numberText(raw []byte, f format, date1904 bool) (string, importer.CellType, bool) {
	if !isDecimal(raw) {
		return "", 0, false
	}

	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.IsInf(v, 0) {
		return "", 0, false
	}

	if f.kind != plainNumber {
		if text, t := serialText(v, f.kind, date1904); t != importer.Number {
			return text, t, true
		}
	}
	switch {
	case f.padded != nil:
		return padded(v, f.padded), importer.Number, true
	case isWhole(raw):
		return string(raw), importer.Number, true
	}
	return shortest(raw, v), importer.Number, true
}

// shortest returns the shortest decimal form of v, the value of raw.
func shortest(raw []byte, v float64) string {
	if a := math.Abs(v); v != 0 && (a < 1e-6 || a >= 1e21) && bytes.ContainsAny(raw, "eE.") {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	if v == 0 {
		return "0" // never -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// isWhole reports whether raw is a whole number without leading zeros. Such a number is left as it is, so that
// a long id keeps digits that a float64 does not have.
func isWhole(raw []byte) bool {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	odd := func(r rune) bool { return r < '0' || r > '9' }
	return !bytes.ContainsFunc(digits, odd) && (len(digits) > 0 && digits[0] != '0' || string(raw) == "0")
}

// isDecimal reports whether raw has only characters of a decimal number, since
// ParseFloat also accepts infinities, hexadecimal numbers and underscores.
func isDecimal(raw []byte) bool {
	odd := func(r rune) bool {
		return (r < '0' || r > '9') && r != '.' && r != '-' && r != '+' && r != 'e' && r != 'E'
	}
	return len(raw) > 0 && !bytes.ContainsFunc(raw, odd)
}

// padded returns v as a padded format shows it: 6083 in 00000 is 06083, 21450012 in
// 00000-0000 is 02145-0012. The first of the layouts counts that has room for the digits, or else
// the first: digits beyond its places go before them. Decimals, which the format does not
// show, are kept.
func padded(v float64, layouts []string) string {
	digits, decimals, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', -1, 64), ".")
	fits := slices.IndexFunc(layouts, func(layout string) bool { return strings.Count(layout, "0") >= len(digits) })
	layout := layouts[max(fits, 0)]
	if decimals != "" {
		decimals = "." + decimals
	}

	text := []byte(layout)
	for i := len(text) - 1; i >= 0 && digits != ""; i-- {
		if layout[i] == '0' {
			text[i], digits = digits[len(digits)-1], digits[:len(digits)-1]
		}
	}
	first := strings.IndexByte(layout, '0')
	sign := ""
	if v < 0 {
		sign = "-"
	}
	return sign + layout[:first] + digits + string(text[first:]) + decimals
}
