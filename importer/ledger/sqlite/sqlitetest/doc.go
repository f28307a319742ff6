// Package sqlitetest holds what tests need of SQLite ledgers beside the ledger
// itself: older attempts, and the bare peer that the speed is measured against.
package sqlitetest
