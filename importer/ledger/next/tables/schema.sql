-- Schema 1 of a ledger: eight tables, for both engines. An engine writes its own types in
-- place of INTEGER (64 bits) and BLOB, and may add columns of its own.
--
-- One counter, the entry "number" of meta, numbers all events. Runs, arrivals, rows, trips
-- and facts have the number of the event that made them, so no two of them ever have the
-- same number, and an adopted copy that continues after the greatest number that was seen
-- gives none of them twice.
--
-- Truths are 0 and 1. Instants, days and times of the schedule are texts that sort as they
-- do; an empty one is none. "Sealed" is encrypted with the ledger's key, and a hash is made
-- with it.

-- What the ledger says about itself: identity, key_check, number, backup, and for each
-- address of a service ("address https://...") which service it belongs to.
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
);

-- Where trips are booked. address is the one under which the account was first used, and
-- service that under which the service was first known. name is provider in the form in
-- which names are compared, and api_key a hash.
CREATE TABLE accounts (
	num      INTEGER PRIMARY KEY,
	address  TEXT NOT NULL,
	service  TEXT NOT NULL,
	provider TEXT NOT NULL,
	name     TEXT NOT NULL,
	api_key  BLOB NOT NULL,
	UNIQUE (address, api_key),
	UNIQUE (address, name)
);

-- inputs is a sealed list. The events of a run are those with its number from num up to
-- last, which is 0 while the run goes on. A run that was broken off has no ended_at.
-- Its arrivals are its events of the kind "arrived".
CREATE TABLE runs (
	num          INTEGER PRIMARY KEY,
	id           TEXT NOT NULL UNIQUE,
	started_at   TEXT NOT NULL,
	command      TEXT NOT NULL,
	mapping      TEXT NOT NULL,
	mapping_hash TEXT NOT NULL,
	who          TEXT NOT NULL,
	host         TEXT NOT NULL,
	version      TEXT NOT NULL,
	inputs       BLOB NOT NULL,
	last         INTEGER NOT NULL,
	ended_at     TEXT NOT NULL,
	how          TEXT NOT NULL,
	totals       TEXT NOT NULL
);

-- The rows of brokers with their last words. id is the hash of the broker and the row id,
-- and key the same as in keys. broker and pair are numbers of facts that have the texts.
-- arrival is 0 for a row of which there is no word: a trip of it was booked without one.
-- legs has the trips of the word with the hashes of their values; earlier the digests of
-- earlier versions; hidden, sealed, what a decision about the rider needs; and answers,
-- sealed, what persons said about legs that are not booked.
CREATE TABLE rows (
	num     INTEGER PRIMARY KEY,
	key     INTEGER NOT NULL,
	id      BLOB NOT NULL,
	broker  INTEGER NOT NULL,
	day     TEXT NOT NULL,
	pair    INTEGER NOT NULL,
	arrival INTEGER NOT NULL,
	says    TEXT NOT NULL,
	legs    BLOB NOT NULL,
	hidden  BLOB,
	version INTEGER NOT NULL,
	digest  INTEGER NOT NULL,
	earlier BLOB,
	answers BLOB,
	event   INTEGER NOT NULL
);
CREATE INDEX rows_key ON rows (key);
CREATE INDEX rows_day ON rows (broker, day);

-- The trips as they stand. trip_id, sealed, has the trip id, its alias, and what a decision
-- about the rider needs. identity has hashes and times. seen is NULL if it is as sent.
-- mapping is the number of a fact. state is "sending" from a claim
-- to its settlement, also if the run was broken off. change is the last change that did not
-- come through, and claimed what is claimed and not settled. open is 1 for a trip that may
-- be booked, lacks its GUID or has a change.
CREATE TABLE trips (
	num          INTEGER PRIMARY KEY,
	row          INTEGER NOT NULL,
	account      INTEGER NOT NULL,
	leg          TEXT NOT NULL,
	trip_id      BLOB NOT NULL,
	day          TEXT NOT NULL,
	begins       TEXT NOT NULL,
	will_call    INTEGER NOT NULL,
	identity     TEXT NOT NULL,
	state        TEXT NOT NULL,
	guid         TEXT NOT NULL,
	guid_missing INTEGER NOT NULL,
	proved       INTEGER NOT NULL,
	answered     INTEGER NOT NULL,
	look_after   TEXT NOT NULL,
	sent         BLOB,
	seen         BLOB,
	mapping      INTEGER NOT NULL,
	held         INTEGER NOT NULL,
	change       BLOB,
	claimed      BLOB,
	open         INTEGER NOT NULL,
	event        INTEGER NOT NULL,
	claim        INTEGER NOT NULL,
	run          INTEGER NOT NULL,
	attempts     INTEGER NOT NULL,
	claimed_at   TEXT NOT NULL,
	settled_at   TEXT NOT NULL,
	http_status  INTEGER NOT NULL,
	code         TEXT NOT NULL
);
CREATE INDEX trips_day ON trips (day);
CREATE INDEX trips_open ON trips (day) WHERE open = 1;

-- The hashes by which trips are found: of the broker and row id, of the broker and trip id
-- without its spelling, of the rider and day, of the source row, and of the GUIDs that the
-- trip has or had.
CREATE TABLE keys (
	hash INTEGER NOT NULL,
	trip INTEGER NOT NULL,
	PRIMARY KEY (hash, trip)
) WITHOUT ROWID;

-- Everything that happened; only ever added to. An event of a trip has trip, one of a row
-- that is not booked has row. keys has the numbers of properties. detail, sealed, has who
-- did it, where, and the note; of an arrival it is the arrival.
CREATE TABLE events (
	num    INTEGER PRIMARY KEY,
	trip   INTEGER NOT NULL,
	row    INTEGER NOT NULL,
	at     TEXT NOT NULL,
	kind   TEXT NOT NULL,
	what   TEXT NOT NULL,
	run    INTEGER NOT NULL,
	guid   TEXT NOT NULL,
	keys   BLOB,
	detail BLOB
);
CREATE INDEX events_subject ON events (trip, row);
CREATE INDEX events_arrived ON events (num) WHERE kind = 'arrived';

-- What the ledger keeps by kind and subject. subject is a hash; value, sealed, has the
-- subject and the value.
CREATE TABLE facts (
	kind    TEXT NOT NULL,
	subject INTEGER NOT NULL,
	value   BLOB NOT NULL,
	who     TEXT NOT NULL,
	host    TEXT NOT NULL,
	at      TEXT NOT NULL,
	event   INTEGER NOT NULL,
	PRIMARY KEY (kind, subject)
);
