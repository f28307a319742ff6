package nightly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly/mail"
	"tripimport/importer/nightly/ping"
)

// A Config holds the block nightly of the user's own tripimport.yaml. All paths are full ones.
// All times of day are wall clock times in Zone.
type Config struct {
	ZoneName string         `yaml:"zone" means:"the zone of all times here, such as America/New_York (required)"`
	Zone     *time.Location `yaml:"-"`
	Slots    []Slot         `yaml:"slots" means:"times of day at which something is due, one of them an import that is not optional (required)"`
	// Days has the service days of an evening, by the evening's date or else by its weekday.
	// An evening that is not listed is for the next day.
	Days    map[string][]string `yaml:"days" means:"days of service that an evening is for, by its weekday (fri) or date; an evening that is not listed is for the next day, and one before a holiday lists the next day of service, or none"`
	Brokers []Broker            `yaml:"brokers" means:"who sends schedules (required)"`
	SeenBy  importer.TimeOfDay  `yaml:"seen_by" means:"when people read on a working day what a night has listed; by default 10:00"`
	Results string              `yaml:"results" path:"only" means:"shared folder of results, lists and morning.xlsx (required)"`
	Done    string              `yaml:"done" path:"only" means:"folder on the disk of the inboxes that takes schedules once they are dealt with (required)"`
	Backup  string              `yaml:"backup" path:"only" means:"folder on another machine for a copy of the ledger each night"`
	Mail    *mail.Config        `yaml:"mail" means:"how and to whom mail is sent; without it none is"`
	Ping    *ping.Client        `yaml:"ping" means:"address of a monitor such as healthchecks.io: start, success, fail; a secret"`
	// Sender sends the mail; nil without Mail.
	Sender Mailer `yaml:"-"`
}

// A Slot is a time of day at which something is due.
type Slot struct {
	At       importer.TimeOfDay `yaml:"at" means:"the time of day, such as \"21:30\": before noon for today, from noon on for the next days, and where it is optional for today as well (required)"`
	Do       string             `yaml:"do" means:"check or import (required)"`
	Optional bool               `yaml:"optional" means:"true where it is fine that no file has come"`
}

// checks reports that the slot only checks the files, and whether the night would succeed.
func (s Slot) checks() bool { return s.Do == "check" }

// main reports whether the slot is a main one: an import that needs a file.
func (s Slot) main() bool { return !s.checks() && !s.Optional }

// A Broker sends schedules. A time of day that is earlier than the slot's is one of the next day.
type Broker struct {
	Name     string             `yaml:"name" means:"the name in lists and alarms (required)"`
	Inbox    string             `yaml:"inbox" path:"only" means:"folder in which its schedules appear (required)"`
	Files    string             `yaml:"files" means:"pattern of their names, such as lakeshore_*.csv; by default all"`
	Mapping  string             `yaml:"mapping" path:"or name" means:"mapping to use: a full path, or a template's name; by default the one whose columns the file has"`
	Due      importer.TimeOfDay `yaml:"due" means:"when one alarm says that no schedule has come (required)"`
	LastCall importer.TimeOfDay `yaml:"last_call" means:"when the trips that are not sent are printed for the phone (required)"`
}

// Load reads the block nightly from the file of the user's own settings. found is false if
// there is none. The error names each fault with its line.
func Load(path string) (_ *Config, found bool, err error) {
	var file struct {
		Nightly yaml.Node `yaml:"nightly"`
	}
	content, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(content, &file)
	}
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && file.Nightly.IsZero():
		return nil, false, nil
	case err != nil:
		return nil, false, app.Usage("see that this user may read it, and write one `key: value` a line", "the settings %s can't be read", path)
	}

	block, c := part{Node: &file.Nightly, file: path}, &Config{Days: map[string][]string{}, SeenBy: importer.TimeOfDay{Hour: 10}}
	block.checkKeys(block.Node, Keys())
	block.load(c)
	c.check(&block)
	if len(block.faults) > 0 {
		return nil, true, importer.Advise(app.Usage("", "the block nightly can't be used:\n%s", strings.Join(block.faults, "\n")), importer.Do("correct these lines; the block is described by", importer.DescribeSettings))
	}
	return c, true, nil
}

// A part is the block while it is read.
type part struct {
	*yaml.Node

	file   string
	faults []string
}

// valuesOf returns the values of a node by their keys.
func valuesOf(n *yaml.Node) map[string]*yaml.Node {
	values := map[string]*yaml.Node{}
	if n.Kind == yaml.MappingNode {
		for pair := range slices.Chunk(n.Content, 2) {
			values[pair[0].Value] = pair[1]
		}
	}
	return values
}

// wrong notes what is wrong with the value of a key of the block.
func (p *part) wrong(key, format string, args ...any) {
	p.fault(cmp.Or(valuesOf(p.Node)[key], p.Node).Line, format, args...)
}

// fault notes what is wrong in a line.
func (p *part) fault(line int, format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf("%s:%d: ", p.file, line)+fmt.Sprintf(format, args...))
}

// checkKeys notes as faults the required keys that have no value, and paths that are not full ones. It cleans
// the others.
func (p *part) checkKeys(n *yaml.Node, keys []Key) {
	values := valuesOf(n)
	for _, k := range keys {
		v := values[k.Name]
		switch {
		case v == nil || v.Value == "" && len(v.Content) == 0:
			if strings.HasSuffix(k.Means, "(required)") {
				p.fault(n.Line, "the key %q is missing, or has no value", k.Name)
			}
		case k.isPath(v.Value) && !filepath.IsAbs(v.Value):
			p.fault(v.Line, "%s takes a full path, since nobody knows from which folder a night is started", k.Name)
		case k.isPath(v.Value):
			v.Value = filepath.Clean(v.Value)
		case v.Kind == yaml.SequenceNode:
			for _, each := range v.Content {
				p.checkKeys(each, k.Below)
			}
		default:
			p.checkKeys(v, k.Below)
		}
	}
}

// load decodes the block. An unknown key is a fault.
func (p *part) load(c *Config) {
	err := p.Load(c, yaml.WithKnownFields())
	var wrong *yaml.LoadErrors
	switch {
	case errors.As(err, &wrong):
		for _, e := range wrong.Errors {
			p.fault(e.Mark.Line, "%s", plain(e.Message))
		}
	case err != nil:
		p.fault(p.Line, "%s", err)
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

// check notes what is wrong with values that belong together, and completes the block.
func (c *Config) check(p *part) {
	var err error
	if c.Zone, err = time.LoadLocation(c.ZoneName); err != nil || !strings.Contains(c.ZoneName, "/") { // EST knows no summer
		p.wrong("zone", "zone takes the name of a time zone, such as America/New_York")
	}
	if !slices.ContainsFunc(c.Slots, Slot.main) {
		p.wrong("slots", "slots lists no import that is not optional, such as {at: \"21:30\", do: import}")
	}
	for _, s := range c.Slots {
		if s.Do != "check" && s.Do != "import" {
			p.wrong("slots", "do takes check or import, and not %q", s.Do)
		}
	}
	if m := c.Mail; m != nil {
		m.Password = func(context.Context) (importer.Secret, error) { return app.Password(m.PasswordFile) }
		if c.Sender, err = mail.New(*m); err != nil {
			p.wrong("mail", "%s", err)
		}
	}
	c.checkDays(p)
	c.checkBrokers(p)
}

// checkDays notes words in days that are none. Capitals make no difference.
func (c *Config) checkDays(p *part) {
	all := c.Days
	c.Days = map[string][]string{}
	for key, listed := range all {
		c.Days[strings.ToLower(key)] = listed
		if _, err := importer.ParseDate(key); err != nil && !isWeekday(key) {
			p.wrong("days", "%q in days is neither a weekday such as fri nor a date such as 2026-12-24", key)
		}
		for _, word := range listed {
			if !isWeekday(word) {
				p.wrong("days", "%q is not a weekday such as fri", word)
			}
		}
	}
}

// checkBrokers notes brokers that can't be told apart, or whose files can't be found.
func (c *Config) checkBrokers(p *part) {
	for i := range c.Brokers {
		b := &c.Brokers[i]
		if slices.ContainsFunc(c.Brokers[:i], func(other Broker) bool { return other.Name == b.Name }) {
			p.wrong("brokers", "there are two brokers %q", b.Name)
		}
		if b.Inbox == c.Done || b.Inbox == c.Results {
			p.wrong("brokers", "the inbox of %s must be another folder than results and done", b.Name)
		}
		if _, err := filepath.Match(b.Files, ""); err != nil {
			p.wrong("brokers", "files of %s takes a pattern such as lakeshore_*.csv", b.Name)
		}
	}
}

// isWeekday reports whether a word is the short name of a weekday.
func isWeekday(word string) bool { return daysUntil(time.Sunday, word) > 0 }

// daysUntil returns how many days after a day of the week the next one of that short name is, such as fri; 0 if
// there is none.
func daysUntil(day time.Weekday, word string) int {
	for ahead := 1; ahead <= 7; ahead++ {
		if strings.EqualFold(short((day+time.Weekday(ahead))%7), word) {
			return ahead
		}
	}
	return 0
}

// short returns the name of a weekday as the settings have it: fri.
func short(day time.Weekday) string { return strings.ToLower(day.String()[:3]) }
