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
	if err := errors.Join(a.refuseSecond(path), a.refuseRate()); err != nil {
		return "", "", err
	}
	l, err := a.store(path).Create(ctx, path, o)
	if err != nil {
		return "", "", err
	}
	location, key = l.Location(), a.KeyPath(l)
	if shared, ok := l.(*postgres.Ledger); ok && a.Settings["rate"].Origin == onCommandLine {
		err = shared.SetRate(ctx, a.Settings.number("rate"))
	}
	err = errors.Join(err, l.Close())
	if a.IsShared() {
		return location, key, errors.Join(err, a.share(key))
	}
	return location, key, errors.Join(err, a.shareLedger(path))
}

// refuseRate refuses a rate for a ledger that nobody shares, and one at which nobody could send.
func (a *App) refuseRate() error {
	switch {
	case a.Settings["rate"].Origin != onCommandLine:
		return nil
	case !a.IsShared():
		return Usage("set rate in tripimport.yaml", "a ledger in a file is used by this machine alone, and has no rate")
	case a.Settings.number("rate") <= 0:
		return Usage("give requests a second, such as --set rate=20", "offices that share a ledger need a rate above 0")
	}
	return nil
}

// refuseSecond refuses to make a ledger on a machine that uses another one, because both
// would book the same trips. It leaves two cases to the store: that the new ledger already
// exists, and that both ledgers are in databases.
func (a *App) refuseSecond(made string) error {
	folder := a.Folders.sharedLedgers()
	keys, _ := fs.Glob(os.DirFS(folder), "*.key")
	if len(keys) > 0 && !a.IsShared() {
		return Usage("write `ledger: postgres://…` into "+a.Folders.Settings()+" again; if the offices have given that ledger up, move "+filepath.Join(folder, keys[0])+" away",
			"this machine has the key of a ledger that offices share, and a second ledger would book the trips of that one again")
	}
	if _, missing := os.Stat(made); missing == nil {
		return nil
	}

	own, err := a.ownLedger()
	if err != nil || own == "" {
		return err
	}
	return Usage("use that one: name no other in the settings; if it is not used any more, move it away with its key", "this machine has a ledger of its own, %s, and a second ledger would book the trips of that one again", own)
}

// ShownLedger returns the setting ledger as it may be shown: instead of a URL that is refused, which may have a password
// anywhere, what is wrong with it.
func (a *App) ShownLedger() string {
	if a.IsShared() {
		if _, err := postgres.ParseLocation(a.Settings.Text("ledger")); err != nil {
			return "(not shown: " + err.Error() + ")"
		}
	}
	return a.Settings.Text("ledger")
}

// ownLedger returns the ledger file that this machine uses without --set ledger, or "".
func (a *App) ownLedger() (path string, err error) {
	unflagged, err := loadSettings(a.env, a.Folders, nil)
	if err != nil {
		return "", err
	}
	for _, path := range []string{unflagged.Text("ledger"), a.Folders.ledger()} {
		if _, missing := os.Stat(path); missing == nil {
			return path, nil
		}
	}
	return "", nil
}

// BackupLedger copies the ledger and its key to a new file, and verifies the copy by reading
// all of it. A run may go on meanwhile.
func (a *App) BackupLedger(ctx context.Context, path string) (err error) {
	from := a.ledgerPath()
	if err := a.store(from).Backup(ctx, from, path); err != nil {
		return err
	}
	l, err := a.open(ctx, path, ledger.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	v, err := l.Verify(ctx)
	if err != nil || len(v.Wrong) == 0 {
		return err
	}
	return importer.Advise(&Error{Unexpected, "the backup " + path + " was written, and it is not sound: " + v.Wrong[0], "keep the backups from before"},
		importer.Do("see whether the ledger is", importer.VerifyLedger))
}

// ReadLedger opens the office's ledger for reading, calls do with it and closes it.
// A run may go on meanwhile.
func (a *App) ReadLedger(ctx context.Context, do func(ledger.Ledger) error) error {
	l, err := a.open(ctx, a.ledgerPath(), ledger.Options{ReadOnly: true})
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
	access, address, err := a.provenAccess(ctx)
	if err != nil {
		return "", err
	}
	p, ok := access.Provider(name)
	if !ok {
		return "", usageStep(importer.Do("see which there are", importer.AskAccess), "the service has no transportation provider %q for this token", name)
	}
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
	var err error
	if !a.IsShared() {
		err = a.shareLedger(path)
	}
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

	shown := filepath.Base(paths[0])
	if more := len(paths) - 1; more > 0 {
		shown += " and " + importer.Counted(more, "other file", "other files")
	}
	return usageStep(importer.Do("put the newest ledger in its place; if it is lost, enter what these results prove", importer.AdoptLedger, paths...), "the ledger %s is an older copy: it lacks what was sent according to %s, and would book it again; nothing was sent now",
		l.Location(), shown)
}
