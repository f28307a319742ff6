// Package returned reads results back in that a person has edited: cells that
// were fixed, and answers about trips that may be booked.
//
// Open holds every row against its sealed key. It refuses a file in which the
// cells of two passengers have been mixed up: columns sorted alone, cells
// pasted or filled over others, rows copied, keys moved. Whole rows and whole
// columns may be put in any order, columns of a person's own added, and sheets
// renamed. Cells that were changed without need are told, for a person's yes.
//
// Nothing is decided here: what the fixed rows come to, and what an answer
// means for its trip, is the run's and the ledger's.
package returned
