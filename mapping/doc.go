// Package mapping turns the rows of a broker's export into trips, as a YAML
// file says. REFERENCE.md describes the language of these files; its examples
// run as tests.
//
// A mapping is used in three steps:
//
//   - Parse reads the file. It reports everything that is wrong with it at
//     once, each finding with its line and column. Lint adds what still keeps
//     a valid mapping from being used every night.
//   - Bind ties the mapping to the columns of one spreadsheet. It fails if
//     the spreadsheet lacks a column that the mapping names: a column is never
//     guessed. Match says whether a mapping suits a file at all.
//   - Map turns one row into its trips, as often and from as many goroutines as
//     the caller likes. The columns are resolved by then, so Map looks nothing up
//     by name.
//
// Values in a row are not guessed either, and every default is declared in the
// mapping. A value that can't be read is a Problem at its cell, and its trip is
// not sent. Times are the schedule's wall-clock times. Only a time with an
// explicit offset is converted, and only if the mapping asks for it.
//
// Every property of importer.TripProperties can be mapped.
package mapping
