-- The machine on which the ledger is in use, as a keyed hash of the machine's
-- id. It is empty until the ledger is opened there.
INSERT INTO meta (name, value) VALUES ('machine', '');
