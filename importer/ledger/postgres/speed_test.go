package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"tripimport/importer"
	"tripimport/importer/ledger/pgtest"
)

// BenchmarkLedger measures the claim and the settlement of a trip, and these with the
// look-ups that a run does before, by 8 workers of each process, on a server that waits
// for its disk. The bare loop does nothing but write the same rows in the same two
// commits, by a connection for each worker; posts/s are to be compared with its.
func BenchmarkLedger(b *testing.B) {
	c := pgtest.Start(b, "fsync=on", "full_page_writes=on")
	for _, processes := range []int{1, 4} {
		b.Run(fmt.Sprintf("ledger/processes=%d", processes), func(b *testing.B) { benchLedger(b, newMachine(b, c.NewDatabase(b)), processes, claimNew) })
		b.Run(fmt.Sprintf("with_look-ups/processes=%d", processes), func(b *testing.B) { benchLedger(b, newMachine(b, c.NewDatabase(b)), processes, importNew) })
		b.Run(fmt.Sprintf("bare/processes=%d", processes), func(b *testing.B) { benchBare(b, newMachine(b, c.NewDatabase(b)), processes) })
	}
}

const workersOfOne = 8

func benchLedger(b *testing.B, m machine, processes int, post func(l *Ledger, run string, n int) error) {
	var ledgers []*Ledger
	for i := range processes {
		ledgers = append(ledgers, m.begin(b, fmt.Sprint("run-", i)))
	}
	before := ledgers[0].Number()
	postEach(b, processes, func(process, n int) error {
		return post(ledgers[process], fmt.Sprint("run-", process), n)
	})
	b.ReportMetric(float64(value(b, m.location, "SELECT commits FROM state")-before)/b.Elapsed().Seconds(), "commits/s")
}

// importNew does what a run does with a trip that nobody has: the look-up of the plan and
// that before the claim, the claim and the settlement.
func importNew(l *Ledger, run string, n int) error {
	ctx := context.Background()
	c := claim(run, n)
	row := &importer.Mapped{Key: c.Key, Trips: []importer.Trip{*c.Trip}}
	if _, err := l.RowTrips(ctx, c.Account.Service, row); err != nil {
		return err
	}
	if lacks, err := l.Lacks(ctx, row, []importer.Account{c.Account}, c.Within); err != nil || !lacks {
		return fmt.Errorf("lacks it: %v, %w", lacks, err)
	}
	return claimNew(l, run, n)
}

// claimNew claims and settles a trip.
func claimNew(l *Ledger, run string, n int) error {
	c := claim(run, n)
	c.Look = &importer.Look{SameDay: true}
	claimed, err := l.Claim(context.Background(), c)
	if err != nil {
		return err
	}
	return l.Settle(context.Background(), claimed, created(n))
}

func benchBare(b *testing.B, m machine, processes int) {
	connections := make(chan *pgx.Conn, processes*workersOfOne)
	for range cap(connections) {
		conn, err := pgx.Connect(b.Context(), m.location+"&search_path=tripimport")
		must(b, err)
		b.Cleanup(func() { conn.Close(context.Background()) })
		connections <- conn
	}
	postEach(b, processes, func(_, n int) error {
		conn := <-connections
		defer func() { connections <- conn }()
		return bareOne(b.Context(), conn, n)
	})
}

// bareOne writes the rows of a trip: those of its claim, and then that of its settlement.
func bareOne(ctx context.Context, conn *pgx.Conn, n int) error {
	c := claim("run-1", n)
	hash := make([]byte, 16)
	copy(hash, c.Trip.ID)
	if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO trips (id, account, trip_id, service_date, minute, leg, input, sheet, row_num, attempt, broker, row_key, pickup_place, dropoff_place, taken, service, address)
			VALUES ($1, 1, $2, '2026-12-02', 510, 'only', 1, 1, $1, $1, 1, $3, $3, $3, 1, 1, 1)`, n, c.Trip.ID, hash); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO attempts (id, trip, run, number, input, row_num, leg, mapping, layout, properties, claimed_at)
			VALUES ($1, $1, 1, 1, 1, $1, 'only', 1, 1, $2, '2026-12-01T17:00:00.000000Z')`, n, make([]byte, 400)); err != nil {
			return err
		}
		for i := range 3 { // its places, and two spellings of its row
			hash[15] = byte(i)
			if _, err := tx.Exec(ctx, "INSERT INTO identities (day, identity, attempt, pickup_unit, dropoff_unit, times) VALUES ('2026-12-02', $1, $2, '', '', '510')", hash, n); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "INSERT INTO riders (account, rider, attempt) VALUES (1, $1, $2)", hash, n)
		return err
	}); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO settlements (attempt, account, state, guid, guid_key, guid_missing, http_status, code, settled_at)
			VALUES ($1, 1, 'created', $2, $2, 0, 200, '200 created', '2026-12-01T17:00:01.000000Z')`, n, fmt.Sprint("guid-", n))
		return err
	})
}

// postEach does b.N posts with the workers of so many processes.
func postEach(b *testing.B, processes int, post func(process, n int) error) {
	b.Helper()
	var next atomic.Int64
	var wait sync.WaitGroup
	b.ResetTimer()
	for i := range processes * workersOfOne {
		wait.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := post(i%processes, int(n)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
}
