-- What is known of the ledger itself: TEXT values by name.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- A provider in a service. service is the address under which the ledger first knew it.
CREATE TABLE accounts (
	id NUMBER PRIMARY KEY,
	service TEXT NOT NULL,
	provider TEXT NOT NULL,
	api_key TEXT NOT NULL,
	UNIQUE (service, provider)
);

-- A run, with the arrivals that it recorded. info and arrivals are encrypted.
CREATE TABLE runs (
	num NUMBER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	info BYTES NOT NULL,
	arrivals BYTES,
	last_day TEXT NOT NULL,
	ended TEXT NOT NULL,
	how TEXT NOT NULL,
	totals TEXT NOT NULL,
	broken NUMBER NOT NULL
);
CREATE INDEX runs_last_day ON runs (last_day);

-- The last word of each row. key is the keyed hash of its broker and id. word is all else that is known
-- of the row, encrypted; the other columns are those by which rows are found and compared.
CREATE TABLE rows (
	id NUMBER PRIMARY KEY,
	key TEXT NOT NULL,
	broker TEXT NOT NULL,
	day TEXT NOT NULL,
	arrival NUMBER NOT NULL,
	stamp TEXT NOT NULL,
	event NUMBER NOT NULL,
	word BYTES NOT NULL
);
CREATE INDEX rows_key ON rows (key);
CREATE INDEX rows_day ON rows (broker, day);

-- The trips. standing is everything that is known of a trip, encrypted; the other columns are those by
-- which trips are found and compared. open is true for a trip that may be booked, has no GUID, has a
-- change that may not have come through, or is in doubt.
CREATE TABLE trips (
	id NUMBER PRIMARY KEY,
	row NUMBER NOT NULL,
	account NUMBER NOT NULL,
	day TEXT NOT NULL,
	begins TEXT NOT NULL,
	state TEXT NOT NULL,
	guid_key TEXT,
	open BOOLEAN NOT NULL,
	event NUMBER NOT NULL,
	run NUMBER NOT NULL,
	claimed_at TEXT NOT NULL,
	standing BYTES NOT NULL
);
CREATE UNIQUE INDEX trips_guid ON trips (guid_key) WHERE guid_key IS NOT NULL;
CREATE INDEX trips_day ON trips (day);
CREATE INDEX trips_open ON trips (day) WHERE open;

-- The keyed hashes by which a trip is found, 64 bits each: of its row, of its trip id, of its rider and day.
CREATE TABLE keys (hash NUMBER NOT NULL, trip NUMBER NOT NULL, PRIMARY KEY (hash, trip)) CLUSTERED;

-- Everything that happened. detail is encrypted.
CREATE TABLE events (
	num NUMBER NOT NULL,
	at TEXT NOT NULL,
	kind TEXT NOT NULL,
	what TEXT NOT NULL,
	trip NUMBER NOT NULL,
	row NUMBER NOT NULL,
	run NUMBER NOT NULL,
	detail BYTES,
	PRIMARY KEY (trip, num)
) CLUSTERED;
CREATE INDEX events_row ON events (row) WHERE trip = 0;
CREATE INDEX events_run ON events (run) WHERE kind IN ('claimed', 'changing');

-- Settings of the ledger, decisions and the like. subject is a keyed hash, value encrypted.
CREATE TABLE facts (
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	value BYTES,
	event NUMBER NOT NULL,
	PRIMARY KEY (kind, subject)
);
