SET LOCAL search_path = tripimport;

-- The rate at which all offices together may ask a service, set by a person.
-- service and account are hashes under the ledger's key: the service's address, and the
-- token with which it is asked.
CREATE TABLE rates (
	service BYTEA PRIMARY KEY,
	rate DOUBLE PRECISION NOT NULL CHECK (rate > 0),
	burst INTEGER NOT NULL CHECK (burst > 0),
	set_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);

-- How far the permits of an account have been given out, by the database's clock alone.
-- next is when the next permit is due, factor the part of the rate that is in force since
-- factor_at, and pauses the number of the pauses, of which the last ends at paused_until.
-- The row is written several times a second and has no other index, so that its old
-- versions are removed as it is read.
CREATE TABLE budgets (
	service BYTEA NOT NULL REFERENCES rates,
	account BYTEA NOT NULL,
	next TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
	factor DOUBLE PRECISION NOT NULL DEFAULT 1 CHECK (factor > 0 AND factor <= 1),
	factor_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
	paused_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
	pauses BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (service, account)
) WITH (fillfactor = 20);
