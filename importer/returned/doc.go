// Package returned reads results back in that a person has edited: cells that
// were fixed, and answers about trips that may be booked.
//
// Open holds every row against its sealed key. It refuses a file in which the
// cells of two passengers have been mixed up: columns sorted alone, cells
// pasted or filled over others, rows copied, keys moved. Whole rows and whole
// columns may be put in any order, columns of a person's own added, and sheets
// renamed. Cells that were changed although nothing was wrong with them are
// listed, so that a person can confirm them.
//
// The package decides no outcomes: the run decides what becomes of the fixed
// rows, the ledger what an answer means for its trip.
package returned
