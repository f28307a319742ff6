package nightly

import (
	"context"
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
	"tripimport/importer/nightly/mail"
	"tripimport/importer/nightly/ping"
)

// A Config holds the block nightly of the user's own tripimport.yaml. All paths are absolute.
// All times of day are wall clock times in Zone.
type Config struct {
	ZoneName string         `yaml:"zone" means:"the zone of all times here, such as America/New_York (required)"`
	Zone     *time.Location `yaml:"-"`
	Slots    []Slot         `yaml:"slots" means:"times of day at which something is due; one import that is not optional is required"`
	// Days has the service days of an evening, by the evening's date or else by its weekday.
	// An evening that is not listed is for the next day.
	Days    evenings        `yaml:"days" means:"days of service that an evening is for, by its weekday (fri) or date; an evening that is not listed is for the next day"`
	Closed  []importer.Date `yaml:"closed" means:"days without service: nothing is due for them"`
	Brokers []Broker        `yaml:"brokers" means:"who sends schedules (required)"`
	SeenBy  clock           `yaml:"seen_by" means:"when people read on a working day what a night has listed; by default 10:00"`
	Results string          `yaml:"results" means:"shared folder of results, lists and morning.xlsx (required)"`
	Done    string          `yaml:"done" means:"folder that takes schedules once they are dealt with (required)"`
	Backup  string          `yaml:"backup" means:"folder on another machine for a copy of the ledger each night"`
	Mail    *Mail           `yaml:"mail" means:"how and to whom mail is sent; without it none is"`
	Ping    monitor         `yaml:"ping" means:"address of a monitor such as healthchecks.io: start, success, fail; a secret"`
}

// A Slot is a time of day at which something is due.
type Slot struct {
	At clock  `yaml:"at" means:"the time of day, such as \"21:30\": before noon for today, from noon on for the next days, and where it is optional for today as well (required)"`
	Do string `yaml:"do" means:"check or import (required)"`
	// Check means that the slot only checks the files, and whether the night would succeed.
	Check    bool `yaml:"-"`
	Optional bool `yaml:"optional" means:"true where it is fine that no file has come"`
}

// A Broker sends schedules. A time of day that is earlier than the slot's is one of the next day.
type Broker struct {
	Name     string `yaml:"name" means:"the name in lists and alarms (required)"`
	Inbox    string `yaml:"inbox" means:"folder in which its schedules appear (required)"`
	Files    string `yaml:"files" means:"pattern of their names, such as lakeshore_*.csv; by default all"`
	Mapping  string `yaml:"mapping" means:"mapping to use: a full path, or a template's name; by default the one whose columns the file has"`
	Due      clock  `yaml:"due" means:"when one alarm says that no schedule has come (required)"`
	LastCall clock  `yaml:"last_call" means:"when the trips that are not sent are printed for the phone (required)"`
}

// Mail says how and to whom mail is sent.
type Mail struct {
	Host         string   `yaml:"host" means:"the mail server, such as smtp.example, or smtp.example:465 (required)"`
	Port         int      `yaml:"-"`
	From         string   `yaml:"from" means:"the sender (required)"`
	To           []string `yaml:"to" means:"the receivers (required)"`
	User         string   `yaml:"user" means:"the account, where the server wants one"`
	PasswordFile string   `yaml:"password_file" means:"file with its password"`
	// Sender sends it.
	Sender *mail.Sender `yaml:"-"`
}

// Load reads the block nightly from the file of the user's own settings. found is false if
// there is none. The error names each fault with its line.
func Load(path string) (_ *Config, found bool, err error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	var file struct {
		Nightly yaml.Node `yaml:"nightly"`
	}
	if err == nil {
		err = yaml.Unmarshal(content, &file)
	}
	if err != nil {
		return nil, false, app.Usage("see that this user may read it, and write one `key: value` a line", "the settings %s can't be read", path)
	}
	if file.Nightly.IsZero() {
		return nil, false, nil
	}

	block, c := part{Node: &file.Nightly}, &Config{}
	block.take(file.Nightly.Load(c))
	if len(block.faults) > 0 {
		var lines []string
		for _, f := range block.faults {
			lines = append(lines, fmt.Sprintf("%s:%d: %s", path, f.Mark.Line, plain(f.Message)))
		}
		return nil, true, importer.Advise(app.Usage("", "the block nightly can't be used:\n%s", strings.Join(lines, "\n")), importer.Do("correct these lines; the block is described by", importer.DescribeSettings))
	}
	return c, true, nil
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

// A part is the block, or a part of it, while it is read.
type part struct {
	*yaml.Node

	faults []*yaml.LoadError
}

// fault notes what is wrong with the value of a key; an empty key stands for the part as a whole.
func (p *part) fault(key, format string, args ...any) {
	line := p.Line
	if value := p.value(key); value != nil {
		line = value.Line
	}
	p.faults = append(p.faults, &yaml.LoadError{Mark: yaml.Mark{Line: line}, Message: fmt.Sprintf(format, args...)})
}

// value returns the value of a key; nil if the part does not have the key.
func (p *part) value(key string) *yaml.Node {
	if p.Kind == yaml.MappingNode {
		for pair := range slices.Chunk(p.Content, 2) {
			if pair[0].Value == key {
				return pair[1]
			}
		}
	}
	return nil
}

// read decodes the part. An unknown key is a fault, and so is one of these keys that is missing.
func (p *part) read(to any, required ...string) {
	p.take(p.Load(to, yaml.WithKnownFields()))
	for _, key := range required {
		if v := p.value(key); p.Kind == yaml.MappingNode && (v == nil || v.Value == "" && len(v.Content) == 0) {
			p.fault(key, "the key %q is missing, or has no value", key)
		}
	}
}

// take notes the faults of an error of the YAML library.
func (p *part) take(err error) {
	var all *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case errors.As(err, &all):
		p.faults = append(p.faults, all.Errors...)
	case errors.As(err, &one):
		p.faults = append(p.faults, one)
	case err != nil:
		p.fault("", "%s", err)
	}
}

// path returns a full path. Any other path is a fault.
func (p *part) path(key, path string) string {
	switch {
	case path == "":
		return ""
	case !filepath.IsAbs(path):
		p.fault(key, "%s takes a full path, since nobody knows from which folder a night is started", key)
	}
	return filepath.Clean(path)
}

// err returns the faults.
func (p *part) err() error {
	if len(p.faults) == 0 {
		return nil
	}
	return &yaml.LoadErrors{Errors: p.faults}
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (c *Config) UnmarshalYAML(n *yaml.Node) (err error) {
	type plain Config
	p := part{Node: n}
	c.Days, c.SeenBy = evenings{}, clock{importer.TimeOfDay{Hour: 10}}
	p.read((*plain)(c), "zone", "results", "done")
	c.Results, c.Done, c.Backup = p.path("results", c.Results), p.path("done", c.Done), p.path("backup", c.Backup)
	if c.Zone, err = time.LoadLocation(c.ZoneName); err != nil || c.ZoneName == "Local" {
		p.fault("zone", "zone takes the name of a time zone, such as America/New_York")
	}
	if !slices.ContainsFunc(c.Slots, Slot.main) {
		p.fault("slots", "slots lists no import that is not optional, such as {at: \"21:30\", do: import}")
	}
	if len(c.Brokers) == 0 {
		p.fault("brokers", "brokers lists no broker")
	}
	names := map[string]bool{}
	for i := range c.Brokers {
		b := &c.Brokers[i]
		if names[b.Name] {
			p.fault("brokers", "there are two brokers %q", b.Name)
		}
		if b.Inbox != "" && (b.Inbox == c.Done || b.Inbox == c.Results) {
			p.fault("brokers", "the inbox of %s must be another folder than results and done", b.Name)
		}
		names[b.Name] = true
	}
	return p.err()
}

// main reports whether the slot is a main one: an import that needs a file.
func (s Slot) main() bool { return !s.Check && !s.Optional }

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *Slot) UnmarshalYAML(n *yaml.Node) error {
	type plain Slot
	p := part{Node: n}
	p.read((*plain)(s), "at", "do")
	s.Check = s.Do == "check"
	if s.Do != "" && !s.Check && s.Do != "import" {
		p.fault("do", "do takes check or import")
	}
	return p.err()
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (b *Broker) UnmarshalYAML(n *yaml.Node) error {
	type plain Broker
	p := part{Node: n}
	b.Files = "*"
	p.read((*plain)(b), "name", "inbox", "due", "last_call")
	b.Inbox = p.path("inbox", b.Inbox)
	if _, err := filepath.Match(b.Files, ""); err != nil {
		p.fault("files", "files takes a pattern such as lakeshore_*.csv")
	}
	if strings.ContainsAny(b.Mapping, `/\`) {
		b.Mapping = p.path("mapping", b.Mapping)
	}
	return p.err()
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (m *Mail) UnmarshalYAML(n *yaml.Node) error {
	type plain Mail
	p := part{Node: n}
	p.read((*plain)(m), "host", "from", "to")
	m.Port, m.PasswordFile = 587, p.path("password_file", m.PasswordFile)
	if host, port, err := net.SplitHostPort(m.Host); err == nil {
		m.Host = host
		if m.Port, err = strconv.Atoi(port); err != nil {
			p.fault("host", "the port of the mail server is no number")
		}
	}
	if m.User != "" && m.PasswordFile == "" {
		p.fault("user", "mail with a user takes password_file")
	}
	sender, err := mail.New(mail.Config{
		Host: m.Host, Port: m.Port, From: m.From, To: m.To, User: m.User,
		Password: func(context.Context) (importer.Secret, error) { return app.Password(m.PasswordFile) },
	})
	if m.Sender = sender; err != nil && len(p.faults) == 0 {
		p.fault("", "%s", err)
	}
	return p.err()
}

// A monitor is told how a night goes. Its address is a secret, which is never printed.
type monitor struct{ *ping.Client }

// UnmarshalYAML implements yaml.Unmarshaler.
func (m *monitor) UnmarshalYAML(n *yaml.Node) (err error) {
	m.Client, err = ping.New(importer.NewSecret(n.Value))
	return err
}

// A clock is a time of day, such as "21:30".
type clock struct{ importer.TimeOfDay }

// UnmarshalYAML implements yaml.Unmarshaler.
func (c *clock) UnmarshalYAML(n *yaml.Node) error {
	at, err := time.Parse("15:04", n.Value)
	if err != nil {
		return fmt.Errorf("%q is not a time of day such as \"21:30\"", n.Value)
	}
	*c = clock{importer.TimeOfDay{Hour: at.Hour(), Minute: at.Minute()}}
	return nil
}

// evenings has days of the week by a weekday or a date.
type evenings map[string][]time.Weekday

// UnmarshalYAML implements yaml.Unmarshaler.
func (all *evenings) UnmarshalYAML(n *yaml.Node) error {
	p := part{Node: n}
	words := map[string][]string{}
	p.take(n.Load(&words))
	*all = evenings{}
	for key, listed := range words {
		_, isDay := weekday(key)
		if _, err := importer.ParseDate(key); err != nil && !isDay {
			p.fault(key, "%q in days is neither a weekday such as fri nor a date such as 2026-12-24", key)
		}
		days := []time.Weekday{}
		for _, word := range listed {
			day, ok := weekday(word)
			if !ok {
				p.fault(key, "%q is not a weekday such as fri", word)
			}
			days = append(days, day)
		}
		(*all)[strings.ToLower(key)] = days
	}
	return p.err()
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
