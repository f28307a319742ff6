// Package returned reads back results that a person has edited: cells that were fixed,
// and answers about trips that may be booked.
//
// Open compares every row with its sealed key. It refuses a file in which the cells of
// two passengers have been mixed up: a column was sorted alone, cells were pasted or
// filled over others, rows were copied, or keys were moved. People may reorder whole rows
// and whole columns, add columns of their own, and rename sheets. Cells that were changed
// although nothing was wrong with them are listed, so that a person can confirm them.
//
// The package decides no outcomes: the run decides what becomes of the fixed rows, and
// the ledger what an answer means for its trip.
package returned
