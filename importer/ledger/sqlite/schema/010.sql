-- What counts as booked of a trip where it is no longer what was sent when it was
-- booked: values of which a person said that they were changed by hand, and those of
-- a change that the service took. layout and properties are as in attempts. mapping
-- is the one that made the values.
CREATE TABLE accepted (
	id         INTEGER PRIMARY KEY,
	attempt    INTEGER NOT NULL REFERENCES attempts (id),
	mapping    INTEGER NOT NULL REFERENCES texts (id),
	layout     INTEGER NOT NULL REFERENCES texts (id),
	properties BLOB NOT NULL
);

INSERT INTO accepted (id, attempt, mapping, layout, properties)
	SELECT v.id, v.attempt, a.mapping, v.layout, v.properties
	FROM resolutions v JOIN attempts a ON a.id = v.attempt WHERE v.layout IS NOT NULL;

-- Changes of booked trips. layout and properties are the new values that were sent,
-- unclear_layout and unclear those of earlier changes of which it is not known
-- whether they arrived. before is the change to which the trip pointed. Where and
-- when the trip is after the change is NULL as far as the change leaves it.
CREATE TABLE trip_changes (
	id             INTEGER PRIMARY KEY,
	attempt        INTEGER NOT NULL REFERENCES attempts (id),
	run            INTEGER NOT NULL REFERENCES runs (num),
	input          INTEGER NOT NULL REFERENCES texts (id),
	row_num        INTEGER NOT NULL,
	mapping        INTEGER NOT NULL REFERENCES texts (id),
	layout         INTEGER NOT NULL REFERENCES texts (id),
	properties     BLOB NOT NULL,
	unclear_layout INTEGER NOT NULL REFERENCES texts (id),
	unclear        BLOB,
	before         INTEGER REFERENCES trip_changes (id),
	service_date   TEXT,
	minute         INTEGER,
	pickup_place   BLOB,
	dropoff_place  BLOB,
	claimed_at     TEXT NOT NULL
);

CREATE TABLE change_settlements (
	change      INTEGER PRIMARY KEY REFERENCES trip_changes (id),
	state       TEXT NOT NULL CHECK (state IN ('updated', 'change_refused', 'change_unknown', 'not_sent')),
	http_status INTEGER NOT NULL,
	code        TEXT NOT NULL,
	settled_at  TEXT NOT NULL
);

-- A person's word that nothing of a trip is to be changed (held is 1), or that it may
-- be again. The last one holds.
CREATE TABLE holds (
	id      INTEGER PRIMARY KEY,
	attempt INTEGER NOT NULL REFERENCES attempts (id),
	held    INTEGER NOT NULL CHECK (held IN (0, 1)),
	who     TEXT NOT NULL,
	host    TEXT NOT NULL,
	held_at TEXT NOT NULL
);

CREATE INDEX holds_attempt ON holds (attempt);

-- accepted is what counts as booked, NULL for what was sent. change is the newest
-- change, NULL while a person need not know of it.
ALTER TABLE trips ADD COLUMN accepted INTEGER REFERENCES accepted (id);
ALTER TABLE trips ADD COLUMN change INTEGER REFERENCES trip_changes (id);
UPDATE trips SET accepted = resolution WHERE resolution IN (SELECT id FROM accepted);
CREATE INDEX trips_change ON trips (change) WHERE change IS NOT NULL;

ALTER TABLE resolutions DROP COLUMN layout;
ALTER TABLE resolutions DROP COLUMN properties;

-- What a schedule had of trips that were not booked. The hashes are bound to the row
-- instead of the trip id. day is empty where the broker's ids do not come again.
-- attempt is the last one of the ledger at that time.
CREATE TABLE schedule_notes (
	id         INTEGER PRIMARY KEY,
	row_key    BLOB NOT NULL,
	leg        TEXT NOT NULL,
	day        TEXT NOT NULL,
	attempt    INTEGER NOT NULL,
	layout     INTEGER NOT NULL REFERENCES texts (id),
	properties BLOB NOT NULL,
	UNIQUE (row_key, leg, day)
);

-- When the schedules were made that had trips on a day. broker is the keyed hash of
-- its name as a text, inputs the hashes of the files.
CREATE TABLE schedules (
	broker INTEGER NOT NULL REFERENCES texts (id),
	day    TEXT NOT NULL,
	inputs INTEGER NOT NULL REFERENCES texts (id),
	stamp  TEXT NOT NULL,
	PRIMARY KEY (broker, day, inputs)
) WITHOUT ROWID;

CREATE TRIGGER accepted_stay BEFORE UPDATE ON accepted
	BEGIN SELECT RAISE(ABORT, 'accepted values are only added'); END;
CREATE TRIGGER accepted_keep BEFORE DELETE ON accepted
	BEGIN SELECT RAISE(ABORT, 'accepted values are only added'); END;
CREATE TRIGGER trip_changes_stay BEFORE UPDATE ON trip_changes
	BEGIN SELECT RAISE(ABORT, 'changes of trips are only added'); END;
CREATE TRIGGER trip_changes_keep BEFORE DELETE ON trip_changes
	BEGIN SELECT RAISE(ABORT, 'changes of trips are only added'); END;
CREATE TRIGGER change_settlements_stay BEFORE UPDATE ON change_settlements
	BEGIN SELECT RAISE(ABORT, 'settlements are only added'); END;
CREATE TRIGGER change_settlements_keep BEFORE DELETE ON change_settlements
	BEGIN SELECT RAISE(ABORT, 'settlements are only added'); END;
CREATE TRIGGER holds_stay BEFORE UPDATE ON holds
	BEGIN SELECT RAISE(ABORT, 'holds are only added'); END;
CREATE TRIGGER holds_keep BEFORE DELETE ON holds
	BEGIN SELECT RAISE(ABORT, 'holds are only added'); END;
