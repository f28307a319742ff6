// Package values reads the texts of cells: dates, times, numbers, counts and
// flags, in the forms in which exports write them.
//
// A text that can be read in two ways is not read unless DateFormats declares
// which one is meant. Nothing has a default. Times are wall-clock times without a
// zone. Only a time with an explicit offset from UTC is converted, and only if
// DateFormats says so.
//
// The functions are pure and safe for concurrent use.
package values
