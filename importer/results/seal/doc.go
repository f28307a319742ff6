// Package seal holds what results and the package that reads them back have in
// common: the key that seals each row, the record of the run, and how both are
// written into a workbook or a CSV file.
//
// A row's key says which row of which input it is, which of its cells may
// change, what became of its trips, and has a keyed digest of each of its
// cells. Everything is authenticated with one HMAC whose key is derived from
// the ledger's: nobody can make a key without access to the ledger, and a key of
// another run doesn't fit. States, legs and cell types are written as codes, so
// that a later version of the program may list them in another order.
package seal
