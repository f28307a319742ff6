PRAGMA application_id = 1953655152;
PRAGMA user_version = 7;
CREATE TABLE accounts (
	id       INTEGER PRIMARY KEY,
	service  TEXT NOT NULL,
	provider TEXT NOT NULL,
	name     TEXT NOT NULL,
	api_key  BLOB NOT NULL,
	UNIQUE (service, api_key),
	UNIQUE (service, name)
);
INSERT INTO "accounts" VALUES(1,'https://api.example.test/v1','Lakeshore Transit','lakeshore transit',X'2E95E7948EA5F8E5B883DE5564DCA9B7');
CREATE TABLE addresses (
	id       INTEGER PRIMARY KEY,
	address  TEXT NOT NULL UNIQUE,
	service  INTEGER NOT NULL REFERENCES addresses (id),
	separate INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "addresses" VALUES(1,'https://api.example.test/v1',1,0);
CREATE TABLE "attempts" (
	id         INTEGER PRIMARY KEY,
	trip       INTEGER NOT NULL REFERENCES trips (id),
	run        INTEGER NOT NULL REFERENCES runs (num),
	number     INTEGER NOT NULL,
	input      INTEGER NOT NULL REFERENCES texts (id),
	row_num    INTEGER NOT NULL,
	leg        TEXT NOT NULL,
	mapping    INTEGER NOT NULL REFERENCES texts (id),
	layout     INTEGER NOT NULL REFERENCES texts (id),
	properties BLOB NOT NULL,
	claimed_at TEXT NOT NULL
);
INSERT INTO "attempts" VALUES(1,1,1,1,2,2,'only',4,1,X'CB27B65895462FC7668C8B82158D0396D824879DBF470868FD403649DECE50216545D1DEEBF075F04BE884B60D35FC25C65D33123DD3925A349D6B2C7EF543E0A801987162FD3E73F430F33551A8B5620D4A3116029433A9656D221CCE7ED487B3F3420481E5BA263DDDC08C724772E1E3E182AA6A8DFACAF6C432EAC2203DD19F19BF6D0238883B9D703E50B15A444B220C58BC14E8D3988A9C22FCEDAFF6F6B0D206795DBB9BDEBB640191CDD9B071E51DC96B1305FE2CCFBFD28740FE5A957F460B63AA0734949BF3C3168FC4C38CB0DCEC6F3610751A09A972D9216B3FE3CE257CC7758CBAB8D9FB06C805FF02B58B2E72C8B508DF65E76612E2D82E6B5AF61D0991B1E865029E658BD61D541BF4D00DD2A28C18460DE5A7CEF16C0872AB614531F6F027E0168933EB3E67E1033602F2C206865612257E9556D459CF4EF09174CE4AA967A39944BDA97B723A4D70B5FDB5977299A6547285F78C7A679E3A','2026-12-01T17:00:00.000000Z');
INSERT INTO "attempts" VALUES(2,2,1,1,2,3,'only',4,1,X'FBA8041DE263E28849F7E4FB222CD39DB6B106B04B84CCE7D9EEBFEA3B9916DA58CF61C58DB329056DE73F57A6E8D3888352C28094CA7C2C84D268114E6D15FE05932573B2D77A7A7068079B830E8F9EACD47825ECD259471212F05F77B0CB8CAB4E1F60E47C543050AB99F872223A7AFA3AFF4D9EDDC7E5765FF622A6552397C882D83DA0FAFCBDBF9F7841CF592A0613F708DA584373FA4C7E5FC03B3659D025AB056B0F09BFC9393FD3A3A4C0710EF2E829DD690BD4D5D215646493160087D8D42B225C31F7D3D79297907447B042A8402B066CD32769DC0833C537B393BBAF0E1684102A91CE95EAF2C6EBF8E1D8BF2BEDA1B586A6D29D010FD14B779A6C44A3886663A757C41A68B0BCBA5E7EE52E3823A8E5C2A2AE7EE3CD81ACEFA7FA61C28819F03CDB6DD4FB4B9C57707EAE991ADFCAFB38FC1AAA4EA19907D63CC818A17F4580E6E639CCB329E0A94325DFD2AE0CAAF5680A9C8CA859986FFFB340','2026-12-01T17:00:00.000000Z');
CREATE TABLE brokers (
	broker  INTEGER PRIMARY KEY REFERENCES texts (id),
	columns TEXT NOT NULL
);
CREATE TABLE changes (
	id         INTEGER PRIMARY KEY,
	what       TEXT NOT NULL,
	who        TEXT NOT NULL,
	host       TEXT NOT NULL,
	changed_at TEXT NOT NULL
);
CREATE TABLE decisions (
	id         INTEGER PRIMARY KEY,
	subject    BLOB NOT NULL,
	verdict    TEXT NOT NULL,
	who        TEXT NOT NULL,
	host       TEXT NOT NULL,
	decided_at TEXT NOT NULL
);
INSERT INTO "decisions" VALUES(1,X'AE984E247C7647FFFA5D5B360FA8F4D3','meant','dana','FRONT-DESK','2026-12-01T17:00:00.000000Z');
CREATE TABLE identities (
	day          TEXT NOT NULL,
	identity     BLOB NOT NULL,
	attempt      INTEGER NOT NULL REFERENCES attempts (id),
	pickup_unit  TEXT NOT NULL,
	dropoff_unit TEXT NOT NULL,
	times        TEXT NOT NULL,
	PRIMARY KEY (day, identity, attempt)
) WITHOUT ROWID;
INSERT INTO "identities" VALUES('2026-12-02',X'23E3FF0EEE45F9EBBE19DE8A5644B200',2,'','','');
INSERT INTO "identities" VALUES('2026-12-02',X'3F165ED63271E9F5161DF799717B2DA6',2,'010a6732282838b44664a0cdb6de1bcb','','pickup 30600 appointment 32400');
INSERT INTO "identities" VALUES('2026-12-02',X'9B270F95DE8A077B3C828A2122CEEA2A',1,'','','');
INSERT INTO "identities" VALUES('2026-12-02',X'FBACF9BDDCDA6C20BAED6E7C0B43B4B1',1,'bd78b8cda8aba7eb11c8c058935d7f06','','pickup 30600 appointment 32400');
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
);
INSERT INTO "meta" VALUES('machine','');
INSERT INTO "meta" VALUES('identity','WT5AEKYUAXKSU32QCRPV');
INSERT INTO "meta" VALUES('key_check','04631a2eedff7ade0afd529853ccb9c1');
INSERT INTO "meta" VALUES('commits','7');
CREATE TABLE raised (
	item    BLOB PRIMARY KEY,
	attempt INTEGER NOT NULL,
	run     INTEGER NOT NULL REFERENCES runs (num)
) WITHOUT ROWID;
CREATE TABLE "resolutions" (
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
CREATE TABLE riders (
	account INTEGER NOT NULL REFERENCES accounts (id),
	rider   BLOB NOT NULL,
	attempt INTEGER NOT NULL REFERENCES attempts (id),
	PRIMARY KEY (account, rider)
) WITHOUT ROWID;
INSERT INTO "riders" VALUES(1,X'0C106B8F0658CFF4942DFC4CACBEAEE2',1);
INSERT INTO "riders" VALUES(1,X'B84E19D5A48D7043702CA53BB43E8FDF',2);
CREATE TABLE run_ends (
	run          INTEGER PRIMARY KEY REFERENCES runs (num),
	ended_at     TEXT NOT NULL,
	how          TEXT NOT NULL,
	totals       TEXT NOT NULL,
	last_attempt INTEGER NOT NULL,
	unsettled    INTEGER NOT NULL
);
INSERT INTO "run_ends" VALUES(1,'2026-12-01T17:00:00.000000Z','','{"rows_read":0,"trips_read":0,"rows":{},"trips":{},"half_booked":0,"too_late":0,"guid_missing":0}',2,0);
CREATE TABLE run_inputs (
	run      INTEGER NOT NULL REFERENCES runs (num),
	position INTEGER NOT NULL,
	hash     TEXT NOT NULL,
	name     BLOB,
	PRIMARY KEY (run, position)
);
INSERT INTO "run_inputs" VALUES(1,0,'aa11',X'9FEF39DA8148EA75E554E54AB3C30F2B19AE7FD716E01A85712C5C93A436982C3729B6D633');
CREATE TABLE runs (
	num           INTEGER PRIMARY KEY,
	id            TEXT NOT NULL UNIQUE,
	first_attempt INTEGER NOT NULL,
	started_at    TEXT NOT NULL,
	command       TEXT NOT NULL,
	mapping       TEXT NOT NULL,
	mapping_hash  TEXT NOT NULL,
	who           TEXT NOT NULL,
	host          TEXT NOT NULL,
	version       TEXT NOT NULL
);
INSERT INTO "runs" VALUES(1,'run-1',1,'2026-12-01T17:00:00.000000Z','import','Lakeshore','bb22','dana','FRONT-DESK','1.0');
CREATE TABLE settlements (
	attempt      INTEGER PRIMARY KEY REFERENCES attempts (id),
	account      INTEGER NOT NULL REFERENCES accounts (id),
	state        TEXT NOT NULL CHECK (state IN ('created', 'refused', 'unknown', 'not_sent')),
	guid         TEXT NOT NULL,
	guid_key     TEXT,
	guid_missing INTEGER NOT NULL,
	http_status  INTEGER NOT NULL,
	code         TEXT NOT NULL,
	settled_at   TEXT NOT NULL
);
INSERT INTO "settlements" VALUES(1,1,'created','guid-R9','guid-r9',0,200,'200 created','2026-12-01T17:00:01.000000Z');
INSERT INTO "settlements" VALUES(2,1,'created','guid-R10','guid-r10',0,200,'200 created','2026-12-01T17:00:01.000000Z');
CREATE TABLE texts (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
);
INSERT INTO "texts" VALUES(1,'trip_id
rider_id
funding_source_name
space_type
trip_type
phone
pickup.event_location.address1
pickup.event_location.address2
pickup.event_location.city
pickup.event_location.state
pickup.event_location.zip
pickup.event_location.latitude
pickup.event_location.longitude
pickup.pickup_time
dropoff.event_name
dropoff.event_location.address1
dropoff.event_location.city
dropoff.event_location.state
dropoff.event_location.zip
dropoff.event_location.latitude
dropoff.event_location.longitude
dropoff.appt_time');
INSERT INTO "texts" VALUES(2,'aa11');
INSERT INTO "texts" VALUES(3,'');
INSERT INTO "texts" VALUES(4,'bb22');
INSERT INTO "texts" VALUES(5,'420561560fa55e97c3fad6e26118ef11');
CREATE TABLE "trips" (
	id           INTEGER PRIMARY KEY,
	account      INTEGER NOT NULL REFERENCES accounts (id),
	trip_id      TEXT NOT NULL,
	service_date TEXT NOT NULL,
	minute       INTEGER NOT NULL,
	leg          TEXT NOT NULL,
	-- How trips were compared before schema 2: without units, and at one time.
	-- NULL for a trip that was claimed since, which has its identities.
	old_identity BLOB,
	input        INTEGER NOT NULL REFERENCES texts (id),
	sheet        INTEGER NOT NULL REFERENCES texts (id),
	row_num      INTEGER NOT NULL,
	attempt      INTEGER NOT NULL,
	resolution   INTEGER,
	taken        INTEGER NOT NULL CHECK (taken IN (0, 1)), address INTEGER NOT NULL DEFAULT 0 REFERENCES addresses (id), service INTEGER NOT NULL DEFAULT 0 REFERENCES addresses (id), broker INTEGER REFERENCES texts (id), row_key BLOB, pickup_place BLOB, dropoff_place BLOB,
	UNIQUE (account, trip_id)
);
INSERT INTO "trips" VALUES(1,1,'R9','2026-12-02',510,'only',NULL,2,3,2,1,NULL,1,1,1,5,X'F887A415B95622A1BE860242C5D85BB1',X'75C46FD9D2E11704BE4AEB4FE5E5DF82',X'8C208F0808BA881E8D5A9CB4882B14C6');
INSERT INTO "trips" VALUES(2,1,'R10','2026-12-02',510,'only',NULL,2,3,3,2,NULL,1,1,1,5,X'93C508130D767947A5F0ECF0878076C3',X'E3988A91738EB8956452CE6786320F6C',X'28CFDDE6E6FB6BB9BB0DF0546F2A47B2');
CREATE UNIQUE INDEX settlements_guid ON settlements (account, guid_key) WHERE guid_key IS NOT NULL;
CREATE INDEX settlements_open ON settlements (attempt) WHERE state = 'unknown' OR guid_missing = 1;
CREATE TRIGGER riders_stay BEFORE UPDATE ON riders
	BEGIN SELECT RAISE(ABORT, 'riders are only added'); END;
CREATE TRIGGER riders_keep BEFORE DELETE ON riders
	BEGIN SELECT RAISE(ABORT, 'riders are only added'); END;
CREATE TRIGGER settlements_stay BEFORE UPDATE ON settlements
	BEGIN SELECT RAISE(ABORT, 'settlements are only added'); END;
CREATE TRIGGER settlements_keep BEFORE DELETE ON settlements
	BEGIN SELECT RAISE(ABORT, 'settlements are only added'); END;
CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
	BEGIN SELECT RAISE(ABORT, 'changes are only added'); END;
CREATE TRIGGER changes_keep BEFORE DELETE ON changes
	BEGIN SELECT RAISE(ABORT, 'changes are only added'); END;
CREATE INDEX trips_old_identity ON trips (service_date, old_identity) WHERE old_identity IS NOT NULL;
CREATE TRIGGER attempts_stay BEFORE UPDATE ON attempts
	BEGIN SELECT RAISE(ABORT, 'attempts are only added'); END;
CREATE TRIGGER attempts_keep BEFORE DELETE ON attempts
	BEGIN SELECT RAISE(ABORT, 'attempts are only added'); END;
CREATE TRIGGER identities_keep BEFORE DELETE ON identities
	BEGIN SELECT RAISE(ABORT, 'identities are only added'); END;
CREATE UNIQUE INDEX trips_source ON trips (input, row_num, leg, sheet, service) WHERE taken = 1;
CREATE INDEX resolutions_attempt ON resolutions (attempt);
CREATE INDEX resolutions_guid ON resolutions (guid_key) WHERE guid_key IS NOT NULL;
CREATE TRIGGER resolutions_stay BEFORE UPDATE ON resolutions
	BEGIN SELECT RAISE(ABORT, 'resolutions are only added'); END;
CREATE TRIGGER resolutions_keep BEFORE DELETE ON resolutions
	BEGIN SELECT RAISE(ABORT, 'resolutions are only added'); END;
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
	BEGIN SELECT RAISE(ABORT, 'decisions are only added'); END;
CREATE TRIGGER decisions_keep BEFORE DELETE ON decisions
	BEGIN SELECT RAISE(ABORT, 'decisions are only added'); END;
CREATE TRIGGER identities_stay BEFORE UPDATE OF day, identity, attempt, pickup_unit, dropoff_unit ON identities
	BEGIN SELECT RAISE(ABORT, 'identities are only added'); END;
CREATE INDEX trips_row ON trips (row_key) WHERE row_key IS NOT NULL;
CREATE INDEX raised_attempt ON raised (attempt);
