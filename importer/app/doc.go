// Package app holds the jobs of the program: check a schedule, import it, retry
// an edited results workbook, resolve trips that may be booked, write results
// again. The commands are one face of it; a job asks and reports through Events
// and knows nothing of terminals.
//
// It is the one place that connects the stages: it picks the mapping, opens the
// service, the ledger and the places, and keeps the order of the safety steps
// (see job.run). An import sends nothing before every file was read to its end,
// the token and every name were proved, and the ledger confirmed the accounts.
//
// A job returns an *Error where it can't go on; faults in the data are in its
// results. What a job comes to is a Status, in one table for all faces.
package app
