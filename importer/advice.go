package importer

// An Action is a job of the program that an advice names. A face of the program says how it is
// started: the terminal by a command, a page by a button.
type Action string

// The actions, with what each is about in Advice.On.
const (
	Again            Action = "again"             // the same job, on files
	Agree            Action = "agree"             // the same job with a yes to what it asks, on files
	CheckFile        Action = "check"             // files
	CheckWith        Action = "check with"        // a mapping, and files
	ImportFile       Action = "import"            // files
	Rehearse         Action = "rehearse"          // files
	SendChanges      Action = "send changes"      // files
	RetryResults     Action = "retry"             // a results workbook
	RetryRehearsal   Action = "rehearse again"    // a rehearsal's workbook
	ListOpen         Action = "list open"         //
	ListRuns         Action = "list runs"         //
	ShowRun          Action = "show run"          // a run
	WriteResults     Action = "write results"     // a run, and the files that it read
	ProposeMapping   Action = "propose mapping"   // a file
	ApproveMapping   Action = "approve mapping"   // a mapping, and a file
	LintMapping      Action = "lint mapping"      // a mapping
	ListTemplates    Action = "list templates"    //
	WriteTemplate    Action = "write template"    // a template
	AddPlaces        Action = "add places"        // a list of places
	SetUp            Action = "set up"            //
	SetToken         Action = "set token"         // the service's address, if not that of the settings
	AskAccess        Action = "ask access"        //
	DescribeSettings Action = "describe settings" //
	NewLedger        Action = "new ledger"        // where, if not where the settings say
	FindLedger       Action = "find ledger"       //
	JoinLedger       Action = "join ledger"       // a key file
	VerifyLedger     Action = "verify ledger"     //
	AdoptLedger      Action = "adopt ledger"      // the results of runs
	NewKey           Action = "new key"           // a provider
	SameService      Action = "same service"      // an address, and the known one
	OtherService     Action = "other service"     // an address
	ForgetRehearsals Action = "forget rehearsals" //
	NightsStatus     Action = "nights status"     //
	InstallNights    Action = "install nights"    //
	SendTestMail     Action = "send test mail"    //
)

// An Advice says what to do: in words and, if a job of the program does it, which job on what.
type Advice struct {
	Text string
	Do   Action // empty for none
	On   []string
}

// Do returns an advice to have a job done.
func Do(text string, do Action, on ...string) Advice { return Advice{text, do, on} }

// A Speller says how a job is started. It returns "" for a job that its face does not have.
type Speller func(do Action, on ...string) string

// Say returns the advice as one text. Without a speller that is its words alone.
func (a Advice) Say(spell Speller) string {
	how := ""
	if a.Do != "" && spell != nil {
		how = spell(a.Do, a.On...)
	}
	switch {
	case how == "":
		return a.Text
	case a.Text == "":
		return "`" + how + "`"
	}
	return a.Text + ": `" + how + "`"
}

// SayAll returns several advices as one text.
func SayAll(all []Advice, spell Speller) string {
	return Joined("; ", Each(all, func(a Advice) string { return a.Say(spell) })...)
}

// An Advised error says for a dispatcher what is wrong, and what to do about it.
type Advised interface {
	error
	Advice() []Advice
}

// adviseError is an error with more advice.
type adviseError struct {
	error
	steps []Advice
}

// Advise adds to an error what to do about it, after what the error says itself.
func Advise(err error, steps ...Advice) error { return &adviseError{err, steps} }

// Unwrap returns the error without the advice that was added.
func (e *adviseError) Unwrap() error { return e.error }

// Advice implements Advised.
func (e *adviseError) Advice() []Advice {
	if known, ok := e.error.(Advised); ok { //nolint:errorlint // an error below has its own words
		return append(known.Advice(), e.steps...)
	}
	return e.steps
}
