-- Places are compared by the words of their streets in one spelling. Trips that the
-- ledger has from before are found by the words as they were spelt as well.
INSERT INTO meta (name, value) SELECT 'spelt_places', 'yes' WHERE EXISTS (SELECT 1 FROM trips);
