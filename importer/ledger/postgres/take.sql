WITH locked AS MATERIALIZED (
	SELECT budgets.*, rate, burst
	FROM budgets JOIN rates USING (service)
	WHERE service = $1 AND account = $2
	FOR UPDATE OF budgets
), timed AS MATERIALIZED (
	SELECT *, clock_timestamp() AS now, set_config('synchronous_commit', 'off', true) FROM locked
), recovered AS (
	SELECT *, factor < 1 AND now >= factor_at + interval '10 s' AS faster FROM timed
), raised AS (
	SELECT *, CASE WHEN faster THEN least(1, factor + 1 / 20.0) ELSE factor END AS new_factor FROM recovered
), paced AS (
	SELECT *, rate * new_factor AS speed FROM raised
), bounded AS (
	SELECT *, paused_until > now AS paused,
		now - make_interval(secs => (burst - 1) / speed) AS earliest,
		now + interval '520 ms' + make_interval(secs => 1 / speed) AS latest
	FROM paced
), due AS (
	SELECT *, greatest(earliest, least(next, latest)) AS first FROM bounded
), granted AS MATERIALIZED (
	SELECT *, CASE WHEN NOT paused AND first <= now + interval '500 ms'
		THEN least($3::integer, greatest(1, floor(speed / 50)))::integer ELSE 0 END AS n
	FROM due
), moved AS (
	UPDATE budgets SET
		next = CASE WHEN n > 0 THEN first + make_interval(secs => n / speed) ELSE budgets.next END,
		factor = new_factor,
		factor_at = CASE WHEN faster THEN now ELSE budgets.factor_at END
	FROM granted
	WHERE budgets.service = granted.service AND budgets.account = granted.account AND (n > 0 OR faster)
)
SELECT n,
	extract(epoch FROM CASE
		WHEN paused THEN paused_until - now
		WHEN n = 0 THEN first - now - interval '500 ms'
		ELSE first - now END),
	1 / speed, paused, pauses
FROM granted
