// Package sheet opens the files that brokers export and gives their rows, each
// cell with its type and address: XLSX and XLSM workbooks, CSV and other
// delimited text, and the HTML tables that portals save under an .xls name.
//
// A file is known by its content, not by its name. What can't be read is
// refused with an *importer.InputError that says what it is and how to turn it
// into something readable. A file that is damaged anywhere gives an error at
// the end of the reading at the latest, never fewer rows: nothing may be sent
// of a file before it was read to its end once.
package sheet
