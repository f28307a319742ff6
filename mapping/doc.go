// Package mapping turns the rows of a broker's export into trips, as a YAML
// file says. REFERENCE.md describes the language of these files; its examples
// run as tests.
//
// A mapping is used in three steps:
//
//   - Parse reads the file. It reports everything that is wrong with it at
//     once, each finding with its line and column. Lint adds what stands between
//     a mapping that can be read and one that can be used every night.
//   - Bind ties the mapping to the columns of one spreadsheet. It fails where
//     the spreadsheet lacks a column that the mapping names: a column is never
//     guessed. Match says whether a mapping suits a file at all.
//   - Map turns one row into its trips, as often and from as many goroutines as
//     the caller likes. It looks nothing up by name any more.
//
// Nothing in a row is guessed either, and nothing has a default that the mapping
// does not declare. What can't be read is a Problem at its cell, and its trip is
// not sent. Times are the schedule's wall-clock times and are never converted,
// but for times with an explicit offset where the mapping asks for it.
//
// Every property of importer.TripProperties can be mapped.
package mapping
