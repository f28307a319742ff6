// Package nightly imports the schedules that brokers leave in a folder, every night and
// unattended. The scheduler of the operating system only wakes it: each wake does what is due
// and ends. The ledger records what was due and what came of it. After sleep, midnight, a
// reboot or a kill at any moment, the next wake therefore continues where the last one ended.
//
// The package decides when which file is imported and who is told. It reads no rows; the jobs
// of importer/app do that.
package nightly
