// Package tables keeps a ledger of the model in the tables of a SQL database. It has
// everything that ledgers in SQLite and in PostgreSQL have in common: the schema, the
// statements, which are written once for both, and what is done with what they find. An
// Engine does what differs between the databases.
//
// It decides nothing about trips: it writes what the judge decided, after it has compared
// what the judge saw with what is there now.
//
// Each process writes through one connection, one transaction after the other, and waiting
// jobs share a transaction. No two transactions that write may overlap, whatever the number
// of processes, because a transaction numbers events and compares what was seen. SQLite's
// lock prevents that, and in PostgreSQL the row of meta with the number.
package tables
