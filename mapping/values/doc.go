// Package values reads the texts of cells: dates, times, numbers, counts and
// flags, in the forms in which exports write them.
//
// A text that can be read in two ways is not read: which way is meant has to be
// declared, in DateFormats. Nothing has a default. Times are wall-clock times
// without a zone; the one exception is a time with an explicit offset from UTC,
// and only where the declaration says that it is to be converted.
//
// The functions are pure and safe for concurrent use.
package values
