-- Legs are kept by their codes, not by the numbers that one version of the
-- program gives them. Who may already be a trip is kept in a table of its own.

CREATE TABLE trips_2 (
	id           INTEGER PRIMARY KEY,
	account      INTEGER NOT NULL REFERENCES accounts (id),
	trip_id      TEXT NOT NULL,
	service_date TEXT NOT NULL,
	minute       INTEGER NOT NULL,
	leg          TEXT NOT NULL,
	-- How trips were compared before schema 2: without units, and at one time.
	-- NULL for a trip that was claimed since, which has its identities.
	old_identity BLOB,
	input        INTEGER NOT NULL REFERENCES texts (id),
	sheet        INTEGER NOT NULL REFERENCES texts (id),
	row_num      INTEGER NOT NULL,
	attempt      INTEGER NOT NULL,
	resolution   INTEGER,
	taken        INTEGER NOT NULL CHECK (taken IN (0, 1)),
	UNIQUE (account, trip_id)
);

INSERT INTO trips_2
	SELECT id, account, trip_id, service_date, minute,
		CASE leg WHEN 0 THEN 'only' WHEN 1 THEN 'outbound' WHEN 2 THEN 'return' WHEN 3 THEN 'third' END,
		journey, input, sheet, row_num, attempt, resolution, taken
	FROM trips;

DROP TABLE trips;
ALTER TABLE trips_2 RENAME TO trips;

CREATE UNIQUE INDEX trips_source ON trips (input, row_num, leg, sheet) WHERE taken = 1;
CREATE INDEX trips_old_identity ON trips (service_date, old_identity) WHERE old_identity IS NOT NULL;

CREATE TABLE attempts_2 (
	id         INTEGER PRIMARY KEY,
	trip       INTEGER NOT NULL REFERENCES trips (id),
	run        INTEGER NOT NULL REFERENCES runs (num),
	number     INTEGER NOT NULL,
	input      INTEGER NOT NULL REFERENCES texts (id),
	row_num    INTEGER NOT NULL,
	leg        TEXT NOT NULL,
	mapping    INTEGER NOT NULL REFERENCES texts (id),
	layout     INTEGER NOT NULL REFERENCES texts (id),
	properties BLOB NOT NULL,
	claimed_at TEXT NOT NULL
);

INSERT INTO attempts_2
	SELECT id, trip, run, number, input, row_num,
		CASE leg WHEN 0 THEN 'only' WHEN 1 THEN 'outbound' WHEN 2 THEN 'return' WHEN 3 THEN 'third' END,
		mapping, layout, properties, claimed_at
	FROM attempts;

DROP TABLE attempts;
ALTER TABLE attempts_2 RENAME TO attempts;

CREATE TRIGGER attempts_stay BEFORE UPDATE ON attempts
	BEGIN SELECT RAISE(ABORT, 'attempts are only added'); END;
CREATE TRIGGER attempts_keep BEFORE DELETE ON attempts
	BEGIN SELECT RAISE(ABORT, 'attempts are only added'); END;

-- Who may already be a trip: a row for each day on which an attempt has a time
-- by which trips are compared. identity is a keyed hash of the rider, both
-- locations without their units, and the day; pickup_unit and dropoff_unit are
-- keyed hashes of the units, empty for none; times are those of the day, in
-- seconds from midnight, as in "pickup 30600 appointment 32400". Only the attempt that counts for its
-- trip says anything. The day comes first, so that a night's rows lie side by
-- side: an order by the hashes would touch a page for every row.
CREATE TABLE identities (
	day          TEXT NOT NULL,
	identity     BLOB NOT NULL,
	attempt      INTEGER NOT NULL REFERENCES attempts (id),
	pickup_unit  TEXT NOT NULL,
	dropoff_unit TEXT NOT NULL,
	times        TEXT NOT NULL,
	PRIMARY KEY (day, identity, attempt)
) WITHOUT ROWID;

CREATE TRIGGER identities_stay BEFORE UPDATE ON identities
	BEGIN SELECT RAISE(ABORT, 'identities are only added'); END;
CREATE TRIGGER identities_keep BEFORE DELETE ON identities
	BEGIN SELECT RAISE(ABORT, 'identities are only added'); END;
