// Package tables is what the ledgers of all engines have in common: the eight tables, the SQL
// over them, and the group commit. It judges nothing: what it writes was decided by the judge,
// and is compared in the same transaction with what the judge saw.
package tables
