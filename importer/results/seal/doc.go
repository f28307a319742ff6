// Package seal is what results and their reading back have in common: the key
// that seals each row, the identity of the run, and how both are written into
// a workbook or a CSV file.
//
// A row's key says which row of which input it was, which of its cells may
// change, what became of its trips, and keyed digests of all its cells. With
// the key of the ledger it can be told whether a cell has changed; without it
// no key can be made up.
package seal
