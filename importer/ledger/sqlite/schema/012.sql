-- The id of a trip that tells who the rider is: trip_id is its keyed hash then, and
-- sealed_id the id, encrypted. hidden is 1 for a broker whose trips have no ids in
-- clear, as of its last run.
ALTER TABLE trips ADD COLUMN sealed_id BLOB;
ALTER TABLE brokers ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
