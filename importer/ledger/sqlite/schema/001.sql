-- SQLite is not asked to enforce the references: that would cost every claim five
-- look-ups, and nothing is ever deleted.

-- What the ledger says about itself: identity, key_check, commits, backup.
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
);

-- Long texts that many rows share are kept once: hashes of inputs and mappings,
-- and the lists of property keys.
CREATE TABLE texts (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
);

-- Where trips are booked. api_key is a keyed hash; name is the provider's name
-- in the form by which names are compared.
CREATE TABLE accounts (
	id       INTEGER PRIMARY KEY,
	service  TEXT NOT NULL,
	provider TEXT NOT NULL,
	name     TEXT NOT NULL,
	api_key  BLOB NOT NULL,
	UNIQUE (service, api_key),
	UNIQUE (service, name)
);

-- The attempts of a run are those that name it from its first_attempt to the
-- last_attempt of its end: a range, where an index would cost every claim.
CREATE TABLE runs (
	num           INTEGER PRIMARY KEY,
	id            TEXT NOT NULL UNIQUE,
	first_attempt INTEGER NOT NULL,
	started_at    TEXT NOT NULL,
	command       TEXT NOT NULL,
	mapping       TEXT NOT NULL,
	mapping_hash  TEXT NOT NULL,
	who           TEXT NOT NULL,
	host          TEXT NOT NULL,
	version       TEXT NOT NULL
);

-- An input's name is sealed: people name files after patients.
CREATE TABLE run_inputs (
	run      INTEGER NOT NULL REFERENCES runs (num),
	position INTEGER NOT NULL,
	hash     TEXT NOT NULL,
	name     BLOB,
	PRIMARY KEY (run, position)
);

-- A run that was broken off gets its end when the ledger is opened next: one
-- without a time. unsettled is 1 where it may have left claims without an
-- answer.
CREATE TABLE run_ends (
	run          INTEGER PRIMARY KEY REFERENCES runs (num),
	ended_at     TEXT NOT NULL,
	how          TEXT NOT NULL,
	totals       TEXT NOT NULL,
	last_attempt INTEGER NOT NULL,
	unsettled    INTEGER NOT NULL
);

-- Each trip once, with the attempt that counts. taken is 1 while the trip may be
-- booked or is being sent, and 0 while it is free to be sent; it is the only
-- state that is kept, the rest is in the history. resolution is a person's word
-- on the attempt that counts.
CREATE TABLE trips (
	id           INTEGER PRIMARY KEY,
	account      INTEGER NOT NULL REFERENCES accounts (id),
	trip_id      TEXT NOT NULL,
	service_date TEXT NOT NULL,
	minute       INTEGER NOT NULL,
	leg          INTEGER NOT NULL,
	journey      BLOB,
	input        INTEGER NOT NULL REFERENCES texts (id),
	sheet        INTEGER NOT NULL REFERENCES texts (id),
	row_num      INTEGER NOT NULL,
	attempt      INTEGER NOT NULL,
	resolution   INTEGER,
	taken        INTEGER NOT NULL CHECK (taken IN (0, 1)),
	UNIQUE (account, trip_id)
);

-- No row of an input is created twice for one leg, whatever its trip id.
CREATE UNIQUE INDEX trips_source ON trips (input, row_num, leg, sheet) WHERE taken = 1;

-- The date comes first, so that a night's trips lie side by side: an index in
-- the order of the hashes would touch a page for every trip.
CREATE INDEX trips_journey ON trips (service_date, journey) WHERE journey IS NOT NULL;

-- The history, which is only ever added to. properties holds 16 bytes for each
-- key of the layout, in its order.
CREATE TABLE attempts (
	id         INTEGER PRIMARY KEY,
	trip       INTEGER NOT NULL REFERENCES trips (id),
	run        INTEGER NOT NULL REFERENCES runs (num),
	number     INTEGER NOT NULL,
	input      INTEGER NOT NULL REFERENCES texts (id),
	row_num    INTEGER NOT NULL,
	leg        INTEGER NOT NULL,
	mapping    INTEGER NOT NULL REFERENCES texts (id),
	layout     INTEGER NOT NULL REFERENCES texts (id),
	properties BLOB NOT NULL,
	claimed_at TEXT NOT NULL
);

-- Every rider that an account was ever sent a trip of, with the first attempt
-- to. rider is a keyed hash that is bound to the account, so that two providers'
-- rows can't be held against each other.
CREATE TABLE riders (
	account INTEGER NOT NULL REFERENCES accounts (id),
	rider   BLOB NOT NULL,
	attempt INTEGER NOT NULL REFERENCES attempts (id),
	PRIMARY KEY (account, rider)
) WITHOUT ROWID;

-- What came of an attempt. guid_key is the GUID in the form in which GUIDs are
-- compared; no account has it twice.
CREATE TABLE settlements (
	attempt      INTEGER PRIMARY KEY REFERENCES attempts (id),
	account      INTEGER NOT NULL REFERENCES accounts (id),
	state        TEXT NOT NULL CHECK (state IN ('created', 'refused', 'unknown', 'not_sent')),
	guid         TEXT NOT NULL,
	guid_key     TEXT,
	guid_missing INTEGER NOT NULL,
	http_status  INTEGER NOT NULL,
	code         TEXT NOT NULL,
	settled_at   TEXT NOT NULL
);

CREATE UNIQUE INDEX settlements_guid ON settlements (account, guid_key) WHERE guid_key IS NOT NULL;
CREATE INDEX settlements_open ON settlements (attempt) WHERE state = 'unknown' OR guid_missing = 1;

-- A person's word on an attempt. The last one holds. The note is sealed.
CREATE TABLE resolutions (
	id          INTEGER PRIMARY KEY,
	attempt     INTEGER NOT NULL REFERENCES attempts (id),
	account     INTEGER NOT NULL REFERENCES accounts (id),
	verdict     TEXT NOT NULL CHECK (verdict IN ('there', 'not there')),
	guid        TEXT NOT NULL,
	guid_key    TEXT,
	who         TEXT NOT NULL,
	resolved_at TEXT NOT NULL,
	note        BLOB
);

CREATE INDEX resolutions_attempt ON resolutions (attempt);
CREATE UNIQUE INDEX resolutions_guid ON resolutions (account, guid_key) WHERE guid_key IS NOT NULL;

-- Changes of the ledger as a whole: a provider's new key, a backup put in use.
CREATE TABLE changes (
	id         INTEGER PRIMARY KEY,
	what       TEXT NOT NULL,
	who        TEXT NOT NULL,
	host       TEXT NOT NULL,
	changed_at TEXT NOT NULL
);

CREATE TRIGGER attempts_stay BEFORE UPDATE ON attempts
	BEGIN SELECT RAISE(ABORT, 'attempts are only added'); END;
CREATE TRIGGER attempts_keep BEFORE DELETE ON attempts
	BEGIN SELECT RAISE(ABORT, 'attempts are only added'); END;
CREATE TRIGGER riders_stay BEFORE UPDATE ON riders
	BEGIN SELECT RAISE(ABORT, 'riders are only added'); END;
CREATE TRIGGER riders_keep BEFORE DELETE ON riders
	BEGIN SELECT RAISE(ABORT, 'riders are only added'); END;
CREATE TRIGGER settlements_stay BEFORE UPDATE ON settlements
	BEGIN SELECT RAISE(ABORT, 'settlements are only added'); END;
CREATE TRIGGER settlements_keep BEFORE DELETE ON settlements
	BEGIN SELECT RAISE(ABORT, 'settlements are only added'); END;
CREATE TRIGGER resolutions_stay BEFORE UPDATE ON resolutions
	BEGIN SELECT RAISE(ABORT, 'resolutions are only added'); END;
CREATE TRIGGER resolutions_keep BEFORE DELETE ON resolutions
	BEGIN SELECT RAISE(ABORT, 'resolutions are only added'); END;
CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
	BEGIN SELECT RAISE(ABORT, 'changes are only added'); END;
CREATE TRIGGER changes_keep BEFORE DELETE ON changes
	BEGIN SELECT RAISE(ABORT, 'changes are only added'); END;
