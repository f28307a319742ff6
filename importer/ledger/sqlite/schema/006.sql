-- A row is known by its broker and by what the broker calls it, whatever trip id
-- is sent: row_key is a keyed hash of both, broker the keyed hash of the broker
-- as a text. The places tell its trips apart when
-- it makes one trip instead of two. They are keyed hashes that are bound to the
-- row. All of them are those of the attempt that counts; NULL where unknown.
ALTER TABLE trips ADD COLUMN broker INTEGER REFERENCES texts (id);
ALTER TABLE trips ADD COLUMN row_key BLOB;
ALTER TABLE trips ADD COLUMN pickup_place BLOB;
ALTER TABLE trips ADD COLUMN dropoff_place BLOB;

CREATE INDEX trips_row ON trips (row_key) WHERE row_key IS NOT NULL;

-- How each broker's rows are named: the columns that make their ids.
CREATE TABLE brokers (
	broker  INTEGER PRIMARY KEY REFERENCES texts (id),
	columns TEXT NOT NULL
);

-- The identities hold another kind of row as well: a hash of the rider, the day
-- and a spelling of the row's id, without units and times.
