// Package seal holds what results and the package that reads them back have in
// common: the key that seals each row, the record of the run, and how both are
// written into a workbook or a CSV file.
//
// A row's key says which row of which input it is, which of its cells may
// change, what became of its trips, and has a keyed digest of each of its
// cells. Everything is authenticated with one HMAC whose key is derived from
// the ledger's: who has no access to the ledger can't make a key, and a key of
// another run doesn't fit. States, legs and cell types are written as codes, so
// that a later version of the program reads them whatever order it lists them
// in.
package seal
