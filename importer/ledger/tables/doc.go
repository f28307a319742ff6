// Package tables keeps a ledger in the tables of a SQL database. It has everything that
// ledgers in SQLite (importer/ledger/sqlite) and in PostgreSQL (importer/ledger/postgres)
// have in common. The statements are written once for both. An Engine does what differs
// between the databases.
//
// Each process writes through one connection, one transaction after the other, and
// waiting jobs share a transaction. A transaction numbers trips and attempts, and looks
// for collisions of a claim, so no two transactions may overlap, whatever the number of
// processes. SQLite's lock prevents that, and in PostgreSQL a row that each transaction
// changes first.
//
// Truths are stored as 0 and 1, instants and days as texts that sort as they do.
package tables
