package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/service"
)

// NewLedger makes the office's ledger at the place that the settings name. It returns the
// locations of the ledger and of its key, in words. An existing ledger is never touched. A
// ledger that offices share gets the rate that a flag gives.
func (a *App) NewLedger(ctx context.Context) (location, key string, err error) {
	path, o, err := a.ledgerToWrite("ledger new")
	if err != nil {
		return "", "", err
	}
	if err := a.refuseSecond(path); err != nil {
		return "", "", err
	}
	given := a.Settings["rate"].Origin == onCommandLine
	if given && (!a.IsShared() || a.Settings.number("rate") <= 0) {
		return "", "", Usage("give requests a second, such as --set rate=20, or set rate in tripimport.yaml", "offices that share a ledger need a rate above 0, and a ledger in a file has none")
	}
	l, err := a.store(path).Create(ctx, path, o)
	if err != nil {
		return "", "", err
	}
	location, key = l.Location(), a.KeyPath(l)
	if shared, ok := l.(*postgres.Ledger); ok && given {
		err = shared.SetRate(ctx, a.Settings.number("rate"))
	}
	return location, key, errors.Join(err, l.Close(), a.shareLedger(path), a.share(key))
}

// refuseSecond refuses to make a ledger on a machine that uses another one, because both
// would book the same trips. It leaves two cases to the store: that the new ledger already
// exists, and that both ledgers are in databases.
func (a *App) refuseSecond(made string) error {
	unflagged, err := loadSettings(a.env, a.Folders, nil)
	if err != nil {
		return err
	}
	used := []string{unflagged.Text("ledger"), a.Folders.ledger()}
	if !a.IsShared() {
		keys, _ := fs.Glob(os.DirFS(a.Folders.sharedLedgers()), "*.key")
		used = append(used, importer.Each(keys, func(name string) string { return filepath.Join(a.Folders.sharedLedgers(), name) })...)
	}
	for _, path := range used {
		if _, missing := os.Stat(path); missing == nil && path != made {
			return Usage("use that one: have the settings name it (the database, if this is the key of a ledger that offices share), and no other; if it is not used any more, move it away with its key",
				"this machine uses a ledger already (%s), and a second one would book the trips of that one again", path)
		}
	}
	return nil
}

// BackupLedger copies the ledger and its key to a new file, and verifies the copy by reading
// all of it. A run may go on meanwhile.
func (a *App) BackupLedger(ctx context.Context, path string) error {
	from := a.ledgerPath()
	if err := a.store(from).Backup(ctx, from, path); err != nil {
		return err
	}
	return a.readAt(ctx, path, func(l ledger.Ledger) error {
		v, err := l.Verify(ctx)
		if err != nil || len(v.Wrong) == 0 {
			return err
		}
		return importer.Advise(&Error{Unexpected, "the backup " + path + " was written, and it is not sound: " + v.Wrong[0], "keep the backups from before"},
			importer.Do("see whether the ledger is", importer.VerifyLedger))
	})
}

// ReadLedger opens the office's ledger for reading, calls do with it and closes it.
// A run may go on meanwhile.
func (a *App) ReadLedger(ctx context.Context, do func(ledger.Ledger) error) error {
	return a.readAt(ctx, a.ledgerPath(), do)
}

// readAt is ReadLedger for the ledger at a location.
func (a *App) readAt(ctx context.Context, location string, do func(ledger.Ledger) error) error {
	l, err := a.open(ctx, location, ledger.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	return errors.Join(do(l), l.Close())
}

// holdLedger is ReadLedger for what is recorded too, and meanwhile no run may send.
func (a *App) holdLedger(ctx context.Context, do func(ledger.Ledger) error) error {
	return a.writeLedger("morning", answerWait, do)
}

// writeLedger opens the office's ledger for a command, waiting for a run that holds it, calls do with it and
// closes it.
func (a *App) writeLedger(command string, wait time.Duration, do func(ledger.Ledger) error) error {
	l, err := a.openLedger(command, wait, false)
	if err != nil {
		return err
	}
	return errors.Join(do(l), l.Close())
}

// RekeyProvider records that a provider has the API key that the service now gives for it. It returns the provider's name as
// the service writes it.
func (a *App) RekeyProvider(ctx context.Context, name string) (provider string, err error) {
	access, err := a.Access(ctx)
	if err != nil {
		return "", err
	}
	p, ok := access.Provider(name)
	if !ok {
		return "", usageStep(importer.Do("see which there are", importer.AskAccess), "the service has no transportation provider %q for this token", name)
	}
	address, _ := a.Settings.address() // where it was asked
	account := importer.Account{Service: address, Provider: p.Name, Key: p.Key}
	return p.Name, a.changeLedger("ledger rekey", func(l ledger.Ledger, by ledger.Person) error { return l.Rekey(ctx, account, by) })
}

// SetAddress records that the service at an address is the one that is known at another one, so that a trip booked
// at one of them is booked at the other; if known is empty, that it is none that the ledger knows. It returns the
// address in canonical form.
func (a *App) SetAddress(ctx context.Context, address, known string) (canonical string, err error) {
	canonical, err = service.CanonicalAddress(address)
	if err == nil && known != "" {
		known, err = service.CanonicalAddress(known)
	}
	if err != nil {
		return "", Usage("give the address as base_url has it", "%s", err)
	}
	return canonical, a.changeLedger("ledger address", func(l ledger.Ledger, by ledger.Person) error {
		return l.SetAddress(ctx, known, canonical, by)
	})
}

// changeLedger opens the office's ledger, calls change with the ledger and the person at the
// machine, and closes the ledger.
func (a *App) changeLedger(command string, change func(ledger.Ledger, ledger.Person) error) error {
	return a.writeLedger(command, 0, func(l ledger.Ledger) error { return change(l, a.thisPerson()) })
}

// FindRun returns the run with that id. If the ledger has none, the error is an *Error.
func FindRun(ctx context.Context, l ledger.Ledger, id string) (ledger.Run, error) {
	found, err := l.Run(ctx, id)
	if errors.Is(err, ledger.ErrNoRun) {
		return found, usageStep(importer.Do("see which there are", importer.ListRuns), "the ledger has no run %s", id)
	}
	return found, err
}

// ForgetRehearsals removes the ledger of all rehearsals. It removes only the files that rehearsals
// make, because the settings may name a wrong folder.
func ForgetRehearsals(f Folders) error {
	if err := sqlite.Remove(f.rehearsalLedger()); err != nil {
		return Usage("is a rehearsal going on? wait for it to end", "%s can't be removed", f.rehearsalLedger())
	}
	return nil
}

// ledgerToWrite returns the location of the office's ledger, and the options for opening it
// for writing: they say who opens it, for which command, and on which machine.
func (a *App) ledgerToWrite(command string) (string, ledger.Options, error) {
	path := a.ledgerPath()
	err := a.shareLedger(path)
	if _, missing := os.Stat(path); err == nil && missing == nil {
		_, err = a.tryFolder(filepath.Dir(path), "the ledger", "give yourself the right to write there")
	}

	who, host := a.whoAmI()
	o := ledger.Options{Who: who, Host: host, Command: command, Marks: a.markFolders()}
	o.Machine = cmp.Or(a.Settings.Text("machine_id"), machineID())
	if o.Machine == "" && err == nil {
		err = Usage("set machine_id in "+a.Folders.Settings()+" to a text of your own, another one on each machine",
			"this machine has no id of its own, by which a copy of the ledger on another one would be noticed")
	}
	return path, o, err
}

// ledgerNumber returns the number of the job's ledger; 0 if the job has no ledger.
func (j *job) ledgerNumber() int64 {
	switch {
	case j.isCheck():
		return 0
	case j.rewritten != nil: // the results of a broken-off run have what was known when it broke off
		return cmp.Or(j.rewritten.BrokenOffAt, j.ledger.Number())
	}
	return j.ledger.Number()
}

// refuseLost returns the error for a ledger that lacks what the results at the paths show as
// sent. It returns nil if there are no paths.
func refuseLost(l ledger.Ledger, paths []string) error {
	if len(paths) == 0 {
		return nil
	}

	shown := importer.TheFirst(importer.Each(paths, filepath.Base), 1)
	return usageStep(importer.Do("put the newest ledger in its place; if it is lost, enter what these results prove", importer.AdoptLedger, paths...), "the ledger %s is an older copy: it lacks what was sent according to %s, and would book it again; nothing was sent now",
		l.Location(), shown)
}
