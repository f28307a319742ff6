package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer/ledger"
)

const servicesSQL = "SELECT name, value FROM meta WHERE name LIKE '" + metaAddress + "%'"

// A service is what the ledger knows of an address.
type service struct {
	address string // the address under which the service was first known
	known   int64  // the event since which the ledger knows the address
	said    int64  // the event at which a person said which service it is; 0 if nobody did
}

// services are the services by their addresses.
type services map[string]*service

func readServices(ctx context.Context, q Querier) (services, error) {
	all := services{}
	return all, eachRow(ctx, q, func(row Scanner) error {
		var name, value string
		if err := row.Scan(&name, &value); err != nil {
			return err
		}
		s := &service{}
		_, err := fmt.Sscanf(value, "%d %d %s", &s.known, &s.said, &s.address)
		all[strings.TrimPrefix(name, metaAddress)] = s
		return err
	}, servicesSQL)
}

func (w *Writer) saveService(ctx context.Context, address string, s *service) error {
	return w.Later(ctx, SetMetaSQL, metaAddress+address, fmt.Sprintf("%d %d %s", s.known, s.said, s.address))
}

// of returns the address of the service at an address.
func (all services) of(address string) string {
	if s := all[address]; s != nil {
		return s.address
	}
	return address
}

// undecided returns the services with trips ahead of which nobody has said whether they are
// the one at the address.
func (all services) undecided(address string, ahead map[string]int) (others []ledger.AheadCount) {
	here := all[all.of(address)]
	for other, trips := range ahead {
		there := all[other]
		decided := here != nil && there != nil && (here.said > there.known || there.said > here.known)
		if other != all.of(address) && trips > 0 && !decided {
			others = append(others, ledger.AheadCount{Name: other, Trips: trips})
		}
	}
	slices.SortFunc(others, func(a, b ledger.AheadCount) int {
		return cmp.Or(cmp.Compare(b.Trips, a.Trips), cmp.Compare(a.Name, b.Name))
	})
	return others
}

// countServices counts the trips ahead by service.
func countServices(known []account, ahead map[int64]int) map[string]int {
	counts := map[string]int{}
	for i := range known {
		counts[known[i].service] += ahead[known[i].number]
	}
	return counts
}

// Service implements next.Ledger.
func (l *Ledger) Service(ctx context.Context, address string) (string, error) {
	var all services
	err := l.read(ctx, func(q Querier) (err error) {
		all, err = readServices(ctx, q)
		return err
	})
	return all.of(address), err
}

// SetAddress implements next.Ledger. Trips keep the address to which they were sent, so
// what was said can be corrected.
func (l *Ledger) SetAddress(_ context.Context, known, address string, by ledger.Person) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		all, err := readServices(ctx, w)
		if err != nil {
			return err
		}
		if known != "" && all[known] == nil {
			return refuse(ledger.UnknownServiceError(known))
		}
		what := address + " is a service of its own"
		if known != "" {
			what = address + " is the service at " + known
		}
		if err := l.noteChange(ctx, w, what, by); err != nil {
			return err
		}
		all.set(known, address, w.Number)
		return w.saveServices(ctx, all)
	})
}

// set makes an address, with those that belong to it, one of the known service, or a
// service of its own if known is empty.
func (all services) set(known, address string, event int64) {
	if all[address] == nil {
		all[address] = &service{address: address, known: event}
	}
	was, now := all.of(address), all.of(known)
	for of, s := range all {
		switch {
		case of == address:
			s.said = event
			s.address = cmp.Or(now, of)
		case s.address != was:
		case known != "":
			s.address = now
		case was == address:
			s.address = of
		}
	}
}

// saveServices writes the services, and moves the accounts to them.
func (w *Writer) saveServices(ctx context.Context, all services) error {
	var errs []error
	for address, s := range all {
		errs = append(errs, w.saveService(ctx, address, s))
	}
	accounts, err := readAccounts(ctx, w)
	errs = append(errs, err)
	for _, a := range accounts {
		if at := all.of(a.address); at != a.service {
			errs = append(errs, w.Later(ctx, moveAccountsSQL, at, a.number))
		}
	}
	return errors.Join(errs...)
}
