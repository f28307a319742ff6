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

CREATE TABLE runs (
	num          INTEGER PRIMARY KEY,
	id           TEXT NOT NULL UNIQUE,
	started_at   TEXT NOT NULL,
	command      TEXT NOT NULL,
	mapping      TEXT NOT NULL,
	mapping_hash TEXT NOT NULL,
	who          TEXT NOT NULL,
	host         TEXT NOT NULL,
	version      TEXT NOT NULL
);

-- An input's name is sealed: people name files after patients.
CREATE TABLE run_inputs (
	run      INTEGER NOT NULL REFERENCES runs (num),
	position INTEGER NOT NULL,
	hash     TEXT NOT NULL,
	name     BLOB,
	PRIMARY KEY (run, position)
);

CREATE TABLE run_ends (
	run      INTEGER PRIMARY KEY REFERENCES runs (num),
	ended_at TEXT NOT NULL,
	how      TEXT NOT NULL,
	totals   TEXT NOT NULL
);

-- The state of each trip: the only table, with meta, whose rows change.
-- properties holds 16 bytes for each key of the layout, in its order.
CREATE TABLE trips (
	id           INTEGER PRIMARY KEY,
	account      INTEGER NOT NULL REFERENCES accounts (id),
	trip_id      TEXT NOT NULL,
	service_date TEXT NOT NULL,
	minute       INTEGER NOT NULL,
	leg          INTEGER NOT NULL,
	state        TEXT NOT NULL CHECK (state IN ('sending', 'created', 'refused', 'unknown', 'not_sent')),
	guid         TEXT NOT NULL DEFAULT '',
	guid_key     TEXT,
	guid_missing INTEGER NOT NULL DEFAULT 0,
	http_status  INTEGER NOT NULL DEFAULT 0,
	code         TEXT NOT NULL DEFAULT '',
	journey      BLOB,
	layout       INTEGER NOT NULL REFERENCES texts (id),
	properties   BLOB NOT NULL,
	input        INTEGER NOT NULL REFERENCES texts (id),
	sheet        INTEGER NOT NULL REFERENCES texts (id),
	row_num      INTEGER NOT NULL,
	mapping      INTEGER NOT NULL REFERENCES texts (id),
	run          INTEGER NOT NULL REFERENCES runs (num),
	attempt      INTEGER NOT NULL,
	attempts     INTEGER NOT NULL,
	claimed_at   TEXT NOT NULL,
	settled_at   TEXT NOT NULL DEFAULT '',
	UNIQUE (account, trip_id)
);

CREATE UNIQUE INDEX trips_guid ON trips (account, guid_key) WHERE guid_key IS NOT NULL;

-- No row of an input is created twice for one leg, whatever its trip id.
CREATE UNIQUE INDEX trips_source ON trips (input, row_num, leg, sheet)
	WHERE state IN ('sending', 'created', 'unknown');

-- The date comes first, so that a night's trips lie side by side: an index in
-- the order of the hashes would touch a page for every trip.
CREATE INDEX trips_journey ON trips (service_date, journey) WHERE journey IS NOT NULL;

CREATE INDEX trips_open ON trips (state) WHERE state IN ('sending', 'unknown');
CREATE INDEX trips_without_guid ON trips (id) WHERE guid_missing = 1;

-- The history, which is only ever added to.
CREATE TABLE attempts (
	id         INTEGER PRIMARY KEY,
	trip       INTEGER NOT NULL REFERENCES trips (id),
	run        INTEGER NOT NULL REFERENCES runs (num),
	number     INTEGER NOT NULL,
	input      INTEGER NOT NULL REFERENCES texts (id),
	row_num    INTEGER NOT NULL,
	leg        INTEGER NOT NULL,
	mapping    INTEGER NOT NULL REFERENCES texts (id),
	claimed_at TEXT NOT NULL
);

CREATE INDEX attempts_run ON attempts (run);

CREATE TABLE settlements (
	attempt      INTEGER PRIMARY KEY REFERENCES attempts (id),
	state        TEXT NOT NULL CHECK (state IN ('created', 'refused', 'unknown', 'not_sent')),
	guid         TEXT NOT NULL,
	guid_missing INTEGER NOT NULL,
	http_status  INTEGER NOT NULL,
	code         TEXT NOT NULL,
	settled_at   TEXT NOT NULL
);

-- A person's word on an attempt. The last one holds. The note is sealed.
CREATE TABLE resolutions (
	id          INTEGER PRIMARY KEY,
	attempt     INTEGER NOT NULL REFERENCES attempts (id),
	verdict     TEXT NOT NULL CHECK (verdict IN ('there', 'not there')),
	guid        TEXT NOT NULL,
	who         TEXT NOT NULL,
	resolved_at TEXT NOT NULL,
	note        BLOB
);

CREATE INDEX resolutions_attempt ON resolutions (attempt);

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
