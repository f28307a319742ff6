-- Until which day trips are booked that have their places and addresses in the forms of
-- earlier versions, which knew fewer spellings of streets and units.
INSERT INTO meta (name, value) SELECT 'earlier_until', date(max(service_date), '+1 day') FROM trips HAVING count(*) > 0;
DELETE FROM meta WHERE name = 'spelt_places';
