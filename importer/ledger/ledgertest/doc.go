// Package ledgertest holds the tests that every ledger passes, whatever it is
// kept in, and invented runs, trips and answers for them.
package ledgertest
