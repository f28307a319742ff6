-- What came of the slots of the nights. detail is encrypted.
CREATE TABLE slot_events (
	id INTEGER PRIMARY KEY,
	at TEXT NOT NULL,
	slot TEXT NOT NULL,
	kind TEXT NOT NULL,
	broker TEXT NOT NULL,
	input TEXT NOT NULL,
	detail BLOB
);
CREATE INDEX slot_events_at ON slot_events (at);
CREATE TRIGGER slot_events_stay BEFORE UPDATE ON slot_events
	BEGIN SELECT RAISE(ABORT, 'slot events are only added'); END;
CREATE TRIGGER slot_events_keep BEFORE DELETE ON slot_events
	BEGIN SELECT RAISE(ABORT, 'slot events are only added'); END;
