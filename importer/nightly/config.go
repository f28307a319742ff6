package nightly

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"tripimport/importer"
	"tripimport/importer/app"
)

// A Config holds the block nightly of the user's own tripimport.yaml. All paths are absolute.
// All times of day are wall clock times in Zone.
type Config struct {
	Zone  *time.Location
	Slots []Slot
	// Days has the service days of an evening, by the evening's date or else by its weekday.
	// An evening that is not listed is for the next day.
	Days map[string][]time.Weekday
	// Closed are the days without service.
	Closed  []importer.Date
	Brokers []Broker
	// SeenBy is when people read on a working day what a night has listed.
	SeenBy importer.TimeOfDay
	// Results is the shared folder for results, lists and the morning workbook. Done is the
	// folder for schedules that were dealt with. Backup is a folder on another machine for
	// copies of the ledger; empty for none.
	Results, Done, Backup string
	// Mail is nil if no mail is sent.
	Mail *Mail
	// Ping is the address of a monitor that follows the conventions of healthchecks.io; empty
	// for none. It is a secret.
	Ping importer.Secret
}

// A Slot is a time of day at which something is due.
type Slot struct {
	At importer.TimeOfDay
	// Check means that the slot only checks the files, and whether the night would succeed.
	Check bool
	// Optional means that the slot needs no file.
	Optional bool
}

// A Broker sends schedules.
type Broker struct {
	Name string
	// Inbox is the folder in which its schedules appear, and Files the pattern of their
	// names, such as lakeshore_*.csv.
	Inbox, Files string
	// Mapping is the file of the mapping or the name of a template; empty to choose the
	// mapping by the columns of each file.
	Mapping string
	// Due is when an alarm says that no schedule has come. LastCall is when the trips that are
	// still unsent are printed for the phone. A time that is earlier than the slot's is one of
	// the next day.
	Due, LastCall importer.TimeOfDay
}

// Mail says how and to whom mail is sent.
type Mail struct {
	// Host is the mail server, and Port 587 unless the settings name another.
	Host string
	Port int
	From string
	To   []string
	// User is the account on the mail server; empty to send without signing in. Its password
	// is in PasswordFile.
	User, PasswordFile string
}

// These types are the block as it is written in YAML.
type (
	block struct {
		Zone    text              `yaml:"zone" means:"the zone of all times here, such as America/New_York (required)"`
		Slots   []slotBlock       `yaml:"slots" means:"times of day at which something is due; one import that is not optional is required"`
		Days    map[string][]text `yaml:"days" means:"days of service that an evening is for, by its weekday (fri) or date; an evening that is not listed is for the next day"`
		Closed  []text            `yaml:"closed" means:"days without service: nothing is due for them"`
		Brokers []brokerBlock     `yaml:"brokers" means:"who sends schedules (required)"`
		SeenBy  text              `yaml:"seen_by" means:"when people read on a working day what a night has listed; by default 10:00"`
		Results text              `yaml:"results" means:"shared folder of results, lists and morning.xlsx (required)"`
		Done    text              `yaml:"done" means:"folder that takes schedules once they are dealt with (required)"`
		Backup  text              `yaml:"backup" means:"folder on another machine for a copy of the ledger each night"`
		Mail    *mailBlock        `yaml:"mail" means:"how and to whom mail is sent; without it none is"`
		Ping    text              `yaml:"ping" means:"address of a monitor such as healthchecks.io: start, success, fail; a secret"`
	}

	slotBlock struct {
		At       text `yaml:"at" means:"the time of day, such as \"21:30\": before noon for today, from noon on for the next days, and where it is optional for today as well (required)"`
		Do       text `yaml:"do" means:"check or import (required)"`
		Optional bool `yaml:"optional" means:"true where it is fine that no file has come"`
	}

	brokerBlock struct {
		Name     text `yaml:"name" means:"the name in lists and alarms (required)"`
		Inbox    text `yaml:"inbox" means:"folder in which its schedules appear (required)"`
		Files    text `yaml:"files" means:"pattern of their names, such as lakeshore_*.csv; by default all"`
		Mapping  text `yaml:"mapping" means:"mapping to use: a full path, or a template's name; by default the one whose columns the file has"`
		Due      text `yaml:"due" means:"when one alarm says that no schedule has come (required)"`
		LastCall text `yaml:"last_call" means:"when the trips that are not sent are printed for the phone (required)"`
	}

	mailBlock struct {
		Host         text   `yaml:"host" means:"the mail server, such as smtp.example, or smtp.example:465 (required)"`
		From         text   `yaml:"from" means:"the sender (required)"`
		To           []text `yaml:"to" means:"the receivers (required)"`
		User         text   `yaml:"user" means:"the account, where the server wants one"`
		PasswordFile text   `yaml:"password_file" means:"file with its password"`
	}

	// A text is a value with the line on which it is written.
	text struct {
		value string
		line  int
	}
)

// UnmarshalYAML implements yaml.Unmarshaler.
func (t *text) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return errors.New("one value is wanted here")
	}
	*t = text{n.Value, n.Line}
	return nil
}

// Load reads the block nightly from the file of the user's own settings. found is false if
// there is none. The error names each fault with its line.
func Load(path string) (_ *Config, found bool, err error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, app.Usage("see that this user may read it", "the configuration %s can't be read", path)
	}

	var file struct {
		Nightly yaml.Node `yaml:"nightly"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(content)).Decode(&file); err != nil {
		if len(bytes.TrimSpace(content)) == 0 {
			return nil, false, nil
		}
		return nil, false, app.Usage("write one `key: value` a line", "%s is not a list of settings in YAML", path)
	}
	if file.Nightly.IsZero() {
		return nil, false, nil
	}

	r := reader{path: path, line: file.Nightly.Line}
	var b block
	r.decode(&file.Nightly, &b)
	c := r.config(&b)
	if len(r.faults) > 0 {
		return nil, true, importer.Advise(app.Usage("", "the block nightly can't be used:\n%s", strings.Join(r.faults, "\n")), importer.Do("correct these lines; the block is described by", importer.DescribeSettings))
	}
	return c, true, nil
}

// A reader makes a Config from a block, and collects the faults of the block.
type reader struct {
	path   string
	line   int // where the block begins
	faults []string
}

func (r *reader) fault(line int, format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf("%s:%d: %s", r.path, max(line, r.line), fmt.Sprintf(format, args...)))
}

// decode decodes the block. An unknown key is a fault.
func (r *reader) decode(n *yaml.Node, b *block) {
	err := n.Load(b, yaml.WithKnownFields())
	var all *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case errors.As(err, &all):
		for _, e := range all.Errors {
			r.fault(e.Mark.Line, "%s", plain(e.Message))
		}
	case errors.As(err, &one):
		r.fault(one.Mark.Line, "%s", plain(one.Message))
	case err != nil:
		r.fault(0, "%s", plain(err.Error()))
	}
}

// plain puts an error message of the YAML library into words for the user.
func plain(message string) string {
	if key, unknown := strings.CutPrefix(message, "field "); unknown {
		key, _, _ = strings.Cut(key, " ")
		return fmt.Sprintf("there is no key %q here", key)
	}
	if strings.HasPrefix(message, "cannot construct") {
		return "another kind of value is wanted here"
	}
	return message
}

// config returns the Config of a block.
func (r *reader) config(b *block) *Config {
	c := &Config{
		Zone: r.zone(b.Zone), Days: map[string][]time.Weekday{},
		Results: r.folder("results", b.Results, true), Done: r.folder("done", b.Done, true), Backup: r.folder("backup", b.Backup, false),
		Mail: r.mail(b.Mail), Ping: importer.NewSecret(b.Ping.value),
	}
	for _, s := range b.Slots {
		c.Slots = append(c.Slots, r.slot(s))
	}
	if !slices.ContainsFunc(c.Slots, Slot.main) {
		r.fault(0, "slots lists no import that is not optional, such as {at: \"21:30\", do: import}")
	}
	for key, days := range b.Days {
		c.Days[r.evening(key, days)] = r.weekdays(days)
	}
	for _, day := range b.Closed {
		c.Closed = append(c.Closed, r.date(day))
	}
	if c.SeenBy = (importer.TimeOfDay{Hour: 10}); b.SeenBy.value != "" {
		c.SeenBy = r.clock("seen_by", b.SeenBy)
	}
	if len(b.Brokers) == 0 {
		r.fault(0, "brokers lists no broker")
	}
	names := map[string]bool{}
	for i := range b.Brokers {
		broker := r.broker(&b.Brokers[i])
		if names[broker.Name] {
			r.fault(b.Brokers[i].Name.line, "there are two brokers %q", broker.Name)
		}
		if broker.Inbox != "" && (broker.Inbox == c.Done || broker.Inbox == c.Results) {
			r.fault(b.Brokers[i].Inbox.line, "the inbox must be another folder than results and done")
		}
		names[broker.Name] = true
		c.Brokers = append(c.Brokers, broker)
	}
	if url := b.Ping.value; url != "" && !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		r.fault(b.Ping.line, "ping takes an address that begins with https://")
	}
	return c
}

// main reports whether the slot is a main one: an import that needs a file.
func (s Slot) main() bool { return !s.Check && !s.Optional }

func (r *reader) zone(t text) *time.Location {
	zone, err := time.LoadLocation(t.value)
	if err != nil || t.value == "" || t.value == "Local" {
		r.fault(t.line, "zone takes the name of a time zone, such as America/New_York")
		return time.UTC
	}
	return zone
}

func (r *reader) slot(b slotBlock) Slot {
	s := Slot{At: r.clock("at", b.At), Check: b.Do.value == "check", Optional: b.Optional}
	if b.Do.value != "check" && b.Do.value != "import" {
		r.fault(max(b.Do.line, b.At.line), "do takes check or import")
	}
	return s
}

func (r *reader) broker(b *brokerBlock) Broker {
	broker := Broker{
		Name: b.Name.value, Inbox: r.folder("inbox", b.Inbox, true), Files: b.Files.value, Mapping: b.Mapping.value,
		Due: r.clock("due", b.Due), LastCall: r.clock("last_call", b.LastCall),
	}
	if broker.Name == "" {
		r.fault(b.Inbox.line, "a broker has no name")
	}
	if broker.Files == "" {
		broker.Files = "*"
	}
	if _, err := filepath.Match(broker.Files, ""); err != nil {
		r.fault(b.Files.line, "files takes a pattern such as lakeshore_*.csv")
	}
	if strings.ContainsAny(broker.Mapping, `/\`) && !filepath.IsAbs(broker.Mapping) {
		r.fault(b.Mapping.line, "mapping takes a full path, since nobody knows from which folder a night is started")
	}
	return broker
}

func (r *reader) mail(b *mailBlock) *Mail {
	if b == nil {
		return nil
	}
	m := &Mail{
		Host: b.Host.value, Port: 587, From: b.From.value, User: b.User.value,
		PasswordFile: r.folder("password_file", b.PasswordFile, false),
	}
	if host, port, err := net.SplitHostPort(m.Host); err == nil {
		m.Host = host
		if m.Port, err = strconv.Atoi(port); err != nil {
			r.fault(b.Host.line, "the port of the mail server is no number")
		}
	}
	for _, to := range b.To {
		m.To = append(m.To, to.value)
	}
	if m.Host == "" || m.From == "" || len(m.To) == 0 {
		r.fault(b.Host.line, "mail takes host, from and to")
	}
	if m.User != "" && m.PasswordFile == "" {
		r.fault(b.User.line, "mail with a user takes password_file")
	}
	return m
}

// folder reads an absolute path. A missing path is a fault if the key must be set.
func (r *reader) folder(key string, t text, must bool) string {
	switch {
	case t.value == "" && must:
		r.fault(t.line, "%s takes the full path of a folder", key)
	case t.value != "" && !filepath.IsAbs(t.value):
		r.fault(t.line, "%s takes a full path, since nobody knows from which folder a night is started", key)
	case t.value != "":
		return filepath.Clean(t.value)
	}
	return ""
}

func (r *reader) clock(key string, t text) importer.TimeOfDay {
	at, err := time.Parse("15:04", t.value)
	if err != nil {
		r.fault(t.line, "%s takes a time of day such as \"21:30\"", key)
	}
	return importer.TimeOfDay{Hour: at.Hour(), Minute: at.Minute()}
}

func (r *reader) date(t text) importer.Date {
	day, err := importer.ParseDate(t.value)
	if err != nil {
		r.fault(t.line, "%s", err)
	}
	return day
}

// evening reads a key of days: a weekday or a date.
func (r *reader) evening(key string, days []text) string {
	_, isDay := weekday(key)
	if _, err := importer.ParseDate(key); err != nil && !isDay {
		line := 0
		if len(days) > 0 {
			line = days[0].line
		}
		r.fault(line, "%q in days is neither a weekday such as fri nor a date such as 2026-12-24", key)
	}
	return strings.ToLower(key)
}

func (r *reader) weekdays(words []text) []time.Weekday {
	days := []time.Weekday{}
	for _, w := range words {
		day, ok := weekday(w.value)
		if !ok {
			r.fault(w.line, "%q is not a weekday such as fri", w.value)
		}
		days = append(days, day)
	}
	return days
}

// weekday reads the short name of a weekday.
func weekday(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if strings.EqualFold(word, short(day)) {
			return day, true
		}
	}
	return 0, false
}

// short returns the name of a weekday as the settings have it: fri.
func short(day time.Weekday) string { return strings.ToLower(day.String()[:3]) }
