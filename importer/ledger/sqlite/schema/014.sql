-- The attempt that a decision is about, 0 for none: the history of its trip has it.
ALTER TABLE decisions ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
CREATE INDEX decisions_attempt ON decisions (attempt) WHERE attempt <> 0;
