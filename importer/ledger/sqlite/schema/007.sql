-- What a run that has ended raised as urgent. item is a keyed hash of what it is.
-- An answer about the attempt removes it, so that it can be raised again; attempt
-- is 0 where the item is about a trip that was not sent.
CREATE TABLE raised (
	item    BLOB PRIMARY KEY,
	attempt INTEGER NOT NULL,
	run     INTEGER NOT NULL REFERENCES runs (num)
) WITHOUT ROWID;

CREATE INDEX raised_attempt ON raised (attempt);
