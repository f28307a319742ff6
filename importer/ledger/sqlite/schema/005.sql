-- A person's answers about an attempt, each with what its trip is since: state is
-- 'created' or 'not_sent', cancelled is 1 for a booked trip that a person cancelled,
-- guid is the GUID that counts, and layout and properties are what counts as booked,
-- NULL for what was sent. The last answer holds. The note is sealed.
CREATE TABLE resolutions_5 (
	id          INTEGER PRIMARY KEY,
	attempt     INTEGER NOT NULL REFERENCES attempts (id),
	account     INTEGER NOT NULL REFERENCES accounts (id),
	verdict     TEXT NOT NULL,
	state       TEXT NOT NULL CHECK (state IN ('created', 'not_sent')),
	cancelled   INTEGER NOT NULL CHECK (cancelled IN (0, 1)),
	guid        TEXT NOT NULL,
	guid_key    TEXT,
	layout      INTEGER REFERENCES texts (id),
	properties  BLOB,
	who         TEXT NOT NULL,
	resolved_at TEXT NOT NULL,
	note        BLOB
);

INSERT INTO resolutions_5
	SELECT id, attempt, account, verdict, CASE verdict WHEN 'there' THEN 'created' ELSE 'not_sent' END, 0,
		guid, guid_key, NULL, NULL, who, resolved_at, note
	FROM resolutions;

DROP TABLE resolutions;
ALTER TABLE resolutions_5 RENAME TO resolutions;

CREATE INDEX resolutions_attempt ON resolutions (attempt);
-- A GUID that was corrected stays here, so no index can keep GUIDs unique.
CREATE INDEX resolutions_guid ON resolutions (guid_key) WHERE guid_key IS NOT NULL;

CREATE TRIGGER resolutions_stay BEFORE UPDATE ON resolutions
	BEGIN SELECT RAISE(ABORT, 'resolutions are only added'); END;
CREATE TRIGGER resolutions_keep BEFORE DELETE ON resolutions
	BEGIN SELECT RAISE(ABORT, 'resolutions are only added'); END;

-- What a person decided that is not about one attempt. subject is a keyed hash of
-- what it is about. The last decision about a subject holds.
CREATE TABLE decisions (
	id         INTEGER PRIMARY KEY,
	subject    BLOB NOT NULL,
	verdict    TEXT NOT NULL,
	who        TEXT NOT NULL,
	host       TEXT NOT NULL,
	decided_at TEXT NOT NULL
);

CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
	BEGIN SELECT RAISE(ABORT, 'decisions are only added'); END;
CREATE TRIGGER decisions_keep BEFORE DELETE ON decisions
	BEGIN SELECT RAISE(ABORT, 'decisions are only added'); END;

-- A trip that a person moved has the times of both.
DROP TRIGGER identities_stay;
CREATE TRIGGER identities_stay BEFORE UPDATE OF day, identity, attempt, pickup_unit, dropoff_unit ON identities
	BEGIN SELECT RAISE(ABORT, 'identities are only added'); END;
