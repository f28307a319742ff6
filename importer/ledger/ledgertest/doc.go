// Package ledgertest has invented runs, trips and answers for tests of ledgers. Its
// own tests are those that every ledger passes, whatever it is kept in: they run
// over all stores.
package ledgertest
