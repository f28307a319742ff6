-- How many commits the ledger had when a run was found to be broken off: results of
-- the run that were written after more of them prove that the ledger is a copy, made
-- in the middle of the run. NULL for all other runs.
ALTER TABLE run_ends ADD COLUMN commits INTEGER;
