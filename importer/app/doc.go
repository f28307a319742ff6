// Package app holds the jobs of the program: check a schedule, import it, retry
// an edited results workbook, resolve trips that may be booked, write results
// again. A job reports and asks through Events and knows nothing of terminals, so
// that the commands are only one way to use it.
//
// This package is the only one that connects the stages: it picks the mapping,
// opens the service, the ledger and the places, and keeps the order of the safety
// steps. An import sends nothing until its file is read to its end, the service has
// confirmed the token and every name, the ledger has confirmed the accounts, and the run
// is recorded in the ledger.
//
// Faults in the data are not errors: they are reported in a job's results. StatusOf says
// how a job ended, in one table for all callers.
package app
