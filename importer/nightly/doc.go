// Package nightly imports the schedules that brokers leave in a folder, every night and
// without anybody there. The schedule of the operating system only wakes it: a wake
// does what is due and ends. What was due and what came of it are in the ledger, so
// that sleep, midnight, a reboot and a kill at any moment are all the same: the next
// wake goes on where the last one ended.
//
// The package decides when which file is imported and who is told. It reads no rows:
// its jobs are those of importer/app.
package nightly
