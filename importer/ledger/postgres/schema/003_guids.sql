SET LOCAL search_path = tripimport;

-- A GUID is looked for under all accounts.
CREATE INDEX settlements_guid_key ON settlements (guid_key) WHERE guid_key IS NOT NULL;
