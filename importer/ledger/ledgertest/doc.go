// Package ledgertest holds what every ledger must pass, whatever it is kept in,
// and the bare peer that its speed is measured against.
package ledgertest
