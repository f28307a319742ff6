-- Where trips were sent. Addresses with one service are one system under several
-- names; service is the id of the address by which its accounts are known.
-- separate is set where a person said that the address is another system: then
-- from all addresses up to that id. Addresses of an older ledger are separate,
-- as they always were.
CREATE TABLE addresses (
	id       INTEGER PRIMARY KEY,
	address  TEXT NOT NULL UNIQUE,
	service  INTEGER NOT NULL REFERENCES addresses (id),
	separate INTEGER NOT NULL DEFAULT 0
);

INSERT INTO addresses (address, service) SELECT service, 0 FROM accounts GROUP BY service ORDER BY MIN(id);
UPDATE addresses SET service = id, separate = (SELECT MAX(id) FROM addresses);

-- address is where the attempt that counts was sent, and service the service that
-- the trip belongs to.
ALTER TABLE trips ADD COLUMN address INTEGER NOT NULL DEFAULT 0 REFERENCES addresses (id);
ALTER TABLE trips ADD COLUMN service INTEGER NOT NULL DEFAULT 0 REFERENCES addresses (id);
UPDATE trips SET service = (SELECT d.id FROM addresses d JOIN accounts c ON c.service = d.address WHERE c.id = trips.account);
UPDATE trips SET address = service;

-- No row of an input is created twice for one leg in one service, whatever its
-- trip id.
DROP INDEX trips_source;
CREATE UNIQUE INDEX trips_source ON trips (input, row_num, leg, sheet, service) WHERE taken = 1;
