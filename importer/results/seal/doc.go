// Package seal has what packages results and returned have in common: the key that seals
// each row, the record of the run, and how both are written into a workbook or a CSV
// file.
//
// A row's key identifies the row of the input. It says which of the row's cells may
// change and what became of its trips, and has a keyed digest of each cell. Everything is
// authenticated with one HMAC whose key is derived from the ledger's, so nobody can make
// a row's key without access to the ledger, and a key of another run doesn't fit. States,
// legs and cell types are written as codes, so that a later version of the program may
// list them in another order.
package seal
