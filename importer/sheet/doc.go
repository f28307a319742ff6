// Package sheet opens the files that brokers export and reads their rows, each
// cell with its type and address: XLSX and XLSM workbooks, CSV and other
// delimited text.
//
// The content of a file decides what it is, not its name. A file that can't be
// read is refused with an *importer.InputError that says what the file is and
// how to turn it into one that can be read.
//
// A damaged file never gives fewer rows: wherever the damage is, Rows ends in
// an error. A file must therefore be read to its end once before any of its
// rows is used for good.
//
// Memory holds one row and, for a workbook, its shared strings. Nothing is
// written to disk.
package sheet
