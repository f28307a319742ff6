// Package sqlitetest helps tests of ledgers in SQLite files: it makes attempts
// older, and measures the speed of SQLite alone.
package sqlitetest
