package mapping

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v4"
)

// A document is a mapping file as it is written. Its types and their tags are
// the language: the decoder takes the keys from them, and the schema for editors
// and the list of fields are made from them.
type document struct {
	Version   int                  `yaml:"mapping" jsonschema:"required,enum=1" jsonschema_description:"The version of the mapping language: 1."`
	Broker    text                 `yaml:"broker" jsonschema:"required" jsonschema_description:"Whose rows these are. It is also the mapping's name."`
	Files     []text               `yaml:"files" jsonschema_description:"Names of the files the mapping is for, with * and ?. Needed if the provider or the funding source is a constant."`
	Zone      text                 `yaml:"zone" jsonschema_description:"The zone whose wall clock the schedule shows, such as America/Detroit. No time is converted."`
	IDs       text                 `yaml:"ids" jsonschema:"enum=unique,enum=repeat" jsonschema_description:"unique: an id is used once, and with another date its trip was moved. repeat: ids come again on other days, so the date is part of what is sent: where trip_id says {date}, or else at its end."`
	Complete  text                 `yaml:"complete" jsonschema:"enum=day,enum=part" jsonschema_description:"day: a file has all trips of its day, so a booked trip that it does not have is not in the schedule any more. Its day is the one with most of its trips, the one that --for names, or each of those that a night is for. part: it may lack some."`
	Read      readSpec             `yaml:"read" jsonschema_description:"How the file is read."`
	Status    ordered[*statusSpec] `yaml:"status" jsonschema_description:"By column: the words that book a row, and those that leave it out. A row with any other word waits until a person says whether it is booked."`
	Skip      ordered[*condition]  `yaml:"skip" jsonschema_description:"Rows that are left out for what no status column says: a reason, and when it holds."`
	Cancelled ordered[*condition]  `yaml:"cancelled" jsonschema_description:"Rows left out because their trips must not be driven any more, for what no status column says: a reason, and when it holds."`
	Trip      legSpec              `yaml:"trip" jsonschema:"required" jsonschema_description:"What the trip's fields are made of."`
	RoundTrip *roundTripSpec       `yaml:"round_trip" jsonschema_description:"When a row is a round trip, and what its return is made of. The trips' ids end in -A and -B."`
}

type readSpec struct {
	Sheet     text   `yaml:"sheet" jsonschema_description:"The sheet's name or number. By default the first visible sheet, if no other has trips."`
	Encoding  text   `yaml:"encoding" jsonschema_description:"A CSV file's encoding, such as windows-1252. By default it is detected."`
	Delimiter text   `yaml:"delimiter" jsonschema:"enum=comma,enum=semicolon,enum=tab,enum=pipe" jsonschema_description:"A CSV file's delimiter: comma, semicolon, tab or pipe. By default it is detected."`
	Header    text   `yaml:"header" jsonschema_description:"The number of the header row; none; or 2-3 for two rows, the upper with the names of groups. By default the first row that has all mapped columns."`
	Dates     []text `yaml:"dates" jsonschema_description:"How dates are written: mdy, dmy or ymd; YYYYMMDD, MMDDYYYY or MMDDYY without separators; serial (or serial1904) if plain numbers may be a spreadsheet's own dates and times. ISO dates and dates of a workbook need no declaration."`
	Offsets   text   `yaml:"offsets" jsonschema:"enum=keep,enum=convert" jsonschema_description:"What a time with an explicit offset means: keep the clock as written, or convert it to the zone."`
	Blank     []text `yaml:"blank" jsonschema_description:"Texts that mean nothing: //, *, n/a."`

	position
}

// A statusSpec says what the words of a status column mean.
type statusSpec struct {
	Book      []text `yaml:"book" jsonschema_description:"Rows with these words are booked. (empty) is a blank cell, filled (in small letters, alone) is any text that is in no list."`
	Cancelled []text `yaml:"cancelled" jsonschema_description:"Rows with these words must not be driven any more. If one was booked earlier, a person is told to cancel it."`
	Skip      []text `yaml:"skip" jsonschema_description:"Rows with these words are left out."`
	Optional  bool   `yaml:"optional" jsonschema_description:"The file may lack the column."`

	position
}

// A source says where a value comes from and what is done to it. Its short form
// is what column says.
type source struct {
	Column   columnSpec       `yaml:"column" jsonschema_description:"A column: City; City#2 is the second with that header, Pickup/City the one under the group Pickup, =C the one with that letter. Or a text with columns in braces, or a list of values that are joined."`
	Optional bool             `yaml:"optional" jsonschema_description:"The file may lack the column; its value is blank then."`
	Const    text             `yaml:"const" jsonschema_description:"The same for every row: only a provider, a funding source, a state or a space type may be."`
	First    []*source        `yaml:"first" jsonschema_description:"The first of these that is not blank."`
	List     text             `yaml:"list" jsonschema_description:"A CSV file beside the mapping, in which the value is looked up. Cells that it does not have are a fault."`
	By       ordered[*source] `yaml:"by" jsonschema_description:"The list's columns by which a line is found, each with the value to find. Dates are compared as dates."`
	Value    text             `yaml:"value" jsonschema_description:"The list's column that has the value."`
	When     *condition       `yaml:"when" jsonschema_description:"The value is blank unless this holds."`
	Extract  text             `yaml:"extract" jsonschema_description:"A regular expression: its match (its first group, if it has one) is the value; blank if it does not match."`
	Replace  ordered[text]    `yaml:"replace" jsonschema_description:"Regular expressions, each with the replacement for its matches ($1 is the first group)."`
	Table    ordered[text]    `yaml:"table" jsonschema_description:"Words, each with the value that replaces it. A word that it does not have is a fault."`
	Most     []*source        `yaml:"most" jsonschema_description:"For passengers: the largest of several counts of the same people."`
	Less     int              `yaml:"less" jsonschema_description:"For passengers: what to subtract, 1 if the count includes the rider."`
	Shape    text             `yaml:"shape" jsonschema_description:"What an id must look like: \"10 digits\", or a regular expression between slashes."`

	position
}

func (s *source) fromNode(d *decoder, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		d.fields(n, reflect.ValueOf(s).Elem())
		return
	}
	s.position = at(n)
	s.Column.fromNode(d, n)
}

// A columnSpec is what a value is made of: a column, a text with columns in braces, or
// several values.
type columnSpec struct {
	text
	Several []*source
}

func (c *columnSpec) fromNode(d *decoder, n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		c.position = at(n)
		d.value(n, reflect.ValueOf(&c.Several).Elem())
		return
	}
	c.text.fromNode(d, n)
}

// A condition holds for a row or does not. A list of conditions holds if any of
// them does.
type condition struct {
	source  `yaml:",inline"`
	Is      []text       `yaml:"is" jsonschema_description:"The value is one of these; case and spacing disregarded."`
	Matches text         `yaml:"matches" jsonschema_description:"The value matches this regular expression."`
	Filled  text         `yaml:"filled" jsonschema:"enum=yes,enum=no" jsonschema_description:"yes: the value is not blank. no: it is."`
	Above   text         `yaml:"above" jsonschema_description:"The value is a number above this one. A word is a fault."`
	Flag    *source      `yaml:"flag" jsonschema_description:"A column of yes and no (y, true, 1, x; n, false, 0 or blank). Anything else in it is a fault."`
	All     []*condition `yaml:"all" jsonschema_description:"All of these hold."`
	Not     *condition   `yaml:"not" jsonschema_description:"This does not hold."`

	either []*condition
}

func (c *condition) fromNode(d *decoder, n *yaml.Node) {
	c.position = at(n)
	switch n.Kind {
	case yaml.SequenceNode:
		d.value(n, reflect.ValueOf(&c.either).Elem())
	case yaml.ScalarNode:
		d.finding(at(n), fmt.Sprintf("%q does not say when it holds", n.Value), fmt.Sprintf("write {flag: %s} for a column of yes and no, or {column: %s, is: [its words]}", n.Value, n.Value))
	default:
		d.fields(n, reflect.ValueOf(c).Elem())
	}
}

// A legSpec says what a trip is made of. Under trip it has everything, under
// return only what differs from the outbound.
type legSpec struct {
	Provider             *source          `yaml:"provider" jsonschema_description:"The transportation provider's name, as the service lists it."`
	FundingSource        *source          `yaml:"funding_source" jsonschema_description:"The funding source's name, as the service lists it."`
	TripID               *source          `yaml:"trip_id" jsonschema_description:"The trip's id. Nothing that may change later belongs in it. Its columns, without the date, are the broker's id of the row."`
	LinkedBy             *source          `yaml:"linked_by" jsonschema_description:"The value that legs on rows of their own have in common."`
	RiderID              *source          `yaml:"rider_id" jsonschema_description:"The rider's id."`
	SpaceType            *source          `yaml:"space_type" jsonschema_description:"The space type, by a table of the broker's words."`
	Phone                *source          `yaml:"phone" jsonschema_description:"The rider's phone."`
	BillableDistance     *source          `yaml:"billable_distance" jsonschema_description:"The distance to be billed, in miles. Without it, the service calculates it."`
	AdditionalPassengers ordered[*source] `yaml:"additional_passengers" jsonschema_description:"Who rides along: the number by space type. A list is added up."`
	Date                 *source          `yaml:"date" jsonschema_description:"The day of service, for all times that have no date of their own."`
	Pickup               pickupSpec       `yaml:"pickup" jsonschema_description:"Where and when the rider is picked up."`
	Dropoff              dropoffSpec      `yaml:"dropoff" jsonschema_description:"Where the rider is taken, and when the appointment is."`
	WillCall             []willCall       `yaml:"will_call" jsonschema_description:"When the trip is a will call: any of these."`
	PickupOnly           text             `yaml:"pickup_only" jsonschema:"enum=return" jsonschema_description:"return: a trip with a pickup time alone is a Return. By default it is a fault."`

	position
}

type pickupSpec struct {
	eventSpec  `yaml:",inline"`
	PickupTime *source `yaml:"pickup_time" jsonschema_description:"The pickup time. A list of two is a date and a time."`
}

type dropoffSpec struct {
	eventSpec `yaml:",inline"`
	ApptTime  *source `yaml:"appt_time" jsonschema_description:"The appointment time. A list of two is a date and a time."`
}

type eventSpec struct {
	EventName    *source `yaml:"event_name" jsonschema_description:"A name for the event, such as the rider's."`
	EventComment *source `yaml:"event_comment" jsonschema_description:"Notes for the driver."`
	locationSpec `yaml:",inline"`
}

// A locationSpec says where an event is. A return that gives another address
// inherits nothing of the old location.
type locationSpec struct {
	LocationName    *source `yaml:"location_name" jsonschema_description:"The name of the place."`
	CompleteAddress *source `yaml:"complete_address" jsonschema_description:"The whole address on one line, sent as it is."`
	Address         *source `yaml:"address" jsonschema_description:"The whole address on one line, split into street, unit, city, state and ZIP; sent whole if it can't be split."`
	Address1        *source `yaml:"address1" jsonschema_description:"Street number and street."`
	Address2        *source `yaml:"address2" jsonschema_description:"Apartment, suite or room."`
	City            *source `yaml:"city" jsonschema_description:"The city."`
	State           *source `yaml:"state" jsonschema_description:"The state's two letters."`
	Zip             *source `yaml:"zip" jsonschema_description:"The ZIP code."`
	Coordinates     *source `yaml:"coordinates" jsonschema_description:"Latitude and longitude: one column, or a list of the two."`
	PhoneNumber     *source `yaml:"phone_number" jsonschema_description:"The phone of the place, not the rider's."`
}

// A willCall is a rule for will calls. It applies if all its parts do.
type willCall struct {
	Says []text     `yaml:"says" jsonschema_description:"What stands in place of a time: a word, a time such as 00:00, or (empty) where neither a pickup nor an appointment time is given."`
	When *condition `yaml:"when" jsonschema_description:"A condition that must hold."`

	position
}

type roundTripSpec struct {
	When   *condition `yaml:"when" jsonschema:"required" jsonschema_description:"When a row is a round trip."`
	Return legSpec    `yaml:"return" jsonschema:"required" jsonschema_description:"The way back: the places are swapped, no time is copied, and anything here replaces the trip's own."`

	position
}

// ordered holds keys that the writer of the mapping chooses, with their values, in
// the order of the file.
type ordered[T any] []pair[T]

type pair[T any] struct {
	Key   text
	Value T
}

func (o *ordered[T]) fromNode(d *decoder, n *yaml.Node) {
	d.pairs(n, func(key text, value *yaml.Node) {
		one := pair[T]{Key: key}
		d.value(value, reflect.ValueOf(&one.Value).Elem())
		*o = append(*o, one)
	})
}

// A position is a line and a column of the mapping file, from 1.
type position struct {
	Line int `yaml:"-"`
	Col  int `yaml:"-"`
}

// A text is a value with the position at which it stands in the file.
type text struct {
	Value string
	position
}

// given reports whether the file has the value, even an empty one.
func (t text) given() bool { return t.Line > 0 }
