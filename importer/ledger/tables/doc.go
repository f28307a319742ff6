// Package tables keeps a ledger in the tables of a SQL database: everything that
// ledgers in SQLite (importer/ledger/sqlite) and in PostgreSQL
// (importer/ledger/postgres) have in common. Its statements are written once, for
// both; what a database does in its own way is an Engine.
//
// Each process writes through one connection, one transaction after the other, and jobs
// that wait go into one transaction together. In a transaction the ids of trips and
// attempts are counted, and what a claim must not collide with is looked up, so no two
// transactions may overlap: SQLite's lock, and in PostgreSQL a row that each
// transaction changes first, keep them apart, whatever the number of processes.
//
// Truths are stored as 0 and 1, instants and days as texts that sort as they do.
package tables
