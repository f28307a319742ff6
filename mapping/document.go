package mapping

// A document is a mapping file as it is written. Its types and their tags are
// the language: the decoder takes the keys from them, and the schema for editors
// and the list of fields are made from them.
type document struct {
	Version   int                 `yaml:"mapping" jsonschema:"required" jsonschema_description:"The version of the mapping language: 1."`
	Name      text                `yaml:"name" jsonschema:"required" jsonschema_description:"What the mapping is for, in a few words."`
	Broker    text                `yaml:"broker" jsonschema_description:"The broker whose rows these are, if several mappings read its schedules or the name has changed. By default the mapping's name."`
	IDs       text                `yaml:"ids" jsonschema:"enum=unique,enum=repeat" jsonschema_description:"unique: an id is used once, and with another date its trip was moved. repeat: ids come again on other days, so the date is added to what is sent."`
	RowID     *source             `yaml:"row_id" jsonschema_description:"The broker's own id of a row, whatever trip_id is made of. By default the columns of trip_id, without the date."`
	Complete  text                `yaml:"complete" jsonschema:"enum=day,enum=part" jsonschema_description:"day: a file has all trips of its day, so a booked trip that it does not have is not in the schedule any more. Its day is the one with most of its trips, the one that --for names, or each of those that a night is for. part: it may lack some."`
	Draft     bool                `yaml:"draft" jsonschema_description:"True while nobody has approved the mapping: check takes it, a real import does not."`
	Files     []text              `yaml:"files" jsonschema_description:"Names of the files the mapping is for, with * and ?. Needed if the provider or the funding source is a constant."`
	Timezone  text                `yaml:"timezone" jsonschema_description:"The zone whose wall clock the schedule shows, such as America/Detroit. No time is converted."`
	Read      readSpec            `yaml:"read" jsonschema_description:"How the file is read."`
	Tables    ordered[tableSpec]  `yaml:"tables" jsonschema_description:"Tables of codes, written here or kept in CSV files beside the mapping."`
	Skip      ordered[*condition] `yaml:"skip" jsonschema_description:"Rows that are left out: a reason, and when it holds."`
	Cancelled ordered[*condition] `yaml:"cancelled" jsonschema_description:"Rows left out because their trips must not be driven any more. If one was booked earlier, a person is told to cancel it."`
	Live      *condition          `yaml:"live" jsonschema_description:"What must hold for a row to be booked. Any other row that is not left out is a fault."`
	Words     []wordSpec          `yaml:"words" jsonschema_description:"The known words, by column, as approval has found them. A row with another word waits until a person says whether it is booked."`
	Trip      legSpec             `yaml:"trip" jsonschema:"required" jsonschema_description:"What the trip's fields are made of."`
	RoundTrip *roundTripSpec      `yaml:"round_trip" jsonschema_description:"When a row is a round trip, and what its return is made of."`
	Unused    []unusedSpec        `yaml:"unused" jsonschema_description:"Columns that are not used. A column that is neither used nor listed here is a notice at every run."`
	Rules     ruleSpec            `yaml:"rules" jsonschema_description:"Settings of the checks."`
}

type readSpec struct {
	Sheet      text   `yaml:"sheet" jsonschema_description:"The sheet's name or number, or all. By default the first visible sheet, if no other has trips."`
	Encoding   text   `yaml:"encoding" jsonschema_description:"A CSV file's encoding, such as windows-1252. By default it is detected."`
	Delimiter  text   `yaml:"delimiter" jsonschema_description:"A CSV file's delimiter: comma, semicolon, tab, pipe or the character itself. By default it is detected."`
	HeaderRow  text   `yaml:"header_row" jsonschema_description:"The number of the header row, or none. By default the first row that has all mapped columns."`
	HeaderRows int    `yaml:"header_rows" jsonschema:"enum=1,enum=2" jsonschema_description:"2 if a row above the headers has the names of groups of columns."`
	Columns    []text `yaml:"columns" jsonschema_description:"All headers of the file as it was when the mapping was approved, so that similar layouts are not confused, and moved columns are noticed if a column is identified only by its place."`
	Dates      []text `yaml:"dates" jsonschema_description:"How dates are written: mdy, dmy or ymd; YYYYMMDD, MMDDYYYY or MMDDYY without separators. ISO dates and dates of a workbook need no declaration."`
	Serials    text   `yaml:"serials" jsonschema:"enum=1900,enum=1904" jsonschema_description:"Plain numbers may be a spreadsheet's own dates and times, counted from 1900 (or 1904)."`
	Offsets    text   `yaml:"offsets" jsonschema:"enum=keep,enum=convert" jsonschema_description:"What a time with an explicit offset means: keep the clock as written, or convert it to the timezone."`
	Blank      []text `yaml:"blank" jsonschema_description:"Texts that mean nothing: //, *, n/a."`

	position
}

// A wordSpec lists the words of a column that skip, cancelled, live, will_call,
// round_trip or space_type reads.
type wordSpec struct {
	columnSpec `yaml:",inline"`
	Book       []text `yaml:"book" jsonschema_description:"Rows with these words are booked, unless a rule leaves them out. (empty), (number), (date) and (time) mean all such cells."`
	LeaveOut   []text `yaml:"leave_out" jsonschema_description:"Rows with these words are left out as cancelled."`
	FreeText   bool   `yaml:"free_text" jsonschema_description:"True: the column has notes or the like. Only a text that looks like a cancellation is asked about."`
}

// An unusedSpec names a column that the mapping does not use. Its short form is the
// header.
type unusedSpec struct {
	columnSpec `yaml:",inline"`
	Holds      text `yaml:"holds" jsonschema_description:"What the column seemed to hold when it was listed, such as blank or dates. A run reports if that has changed."`
	Decide     text `yaml:"decide" jsonschema_description:"A question about the column that must be answered before the mapping is approved: use the column, or remove the question."`
}

// A columnSpec names a column.
type columnSpec struct {
	Column text `yaml:"column" jsonschema_description:"The column's header. Case, spaces and punctuation are disregarded unless that makes two headers the same."`
	Nth    int  `yaml:"nth" jsonschema:"minimum=1" jsonschema_description:"Which one, if several columns have the header: 1 is the leftmost."`
	Under  text `yaml:"under" jsonschema_description:"The group in the row above, if there are two header rows."`
	Letter text `yaml:"letter" jsonschema_description:"The column's letter. If column is given too, the header must agree."`

	position
}

// ref returns the column that is named.
func (s *columnSpec) ref() ColumnRef {
	return ColumnRef{header: s.Column, under: s.Under, letter: s.Letter, nth: s.Nth, position: s.position}
}

// A source says where a value comes from and what is done to it. Its short form
// is the header of a column.
type source struct {
	columnSpec `yaml:",inline"`
	Optional   bool          `yaml:"optional" jsonschema_description:"The file may lack the column; its value is blank then."`
	Const      text          `yaml:"const" jsonschema_description:"The same for every row."`
	Template   text          `yaml:"template" jsonschema_description:"A text with headers in braces; {date} is the day of service, {date:YYYYMMDD} in another form."`
	Join       []*source     `yaml:"join" jsonschema_description:"Several values, one after the other, without the blank ones."`
	With       text          `yaml:"with" jsonschema_description:"The text between joined values. By default a space."`
	First      []*source     `yaml:"first" jsonschema_description:"The first of these that is not blank."`
	Expr       text          `yaml:"expr" jsonschema_description:"A computed value; row[\"Header\"] is a column."`
	Lookup     []*source     `yaml:"lookup" jsonschema_description:"The keys by which a line of the table is found, in the order of the table's key."`
	Table      *tableRef     `yaml:"table" jsonschema_description:"The table that replaces the value: its name, or the table itself. A value that it does not have is a fault."`
	When       *condition    `yaml:"when" jsonschema_description:"The value is blank unless this holds."`
	Blank      []text        `yaml:"blank" jsonschema_description:"Further texts that mean nothing in this column."`
	Extract    text          `yaml:"extract" jsonschema_description:"A regular expression: its match (its first group, if it has one) is the value; blank if it does not match."`
	Replace    ordered[text] `yaml:"replace" jsonschema_description:"Regular expressions, each with the replacement for its matches ($1 is the first group)."`
	Case       text          `yaml:"case" jsonschema:"enum=upper,enum=lower" jsonschema_description:"Converts the value to upper or lower case."`
	As         text          `yaml:"as" jsonschema:"enum=date" jsonschema_description:"date: the value is a date and is compared and written as 2026-12-02."`
	Default    text          `yaml:"default" jsonschema_description:"The value if there is none. Ids, dates, times and space types have no default."`
	Shape      text          `yaml:"shape" jsonschema_description:"What an id must look like: \"10 digits\", \"6-8 digits\", or a regular expression between slashes."`
	Decide     text          `yaml:"decide" jsonschema_description:"A question that the office must answer before the mapping can be used."`
}

// A dateTimeSpec says where a date and a time come from.
type dateTimeSpec struct {
	source `yaml:",inline"`
	Date   *source `yaml:"date" jsonschema_description:"Where the date is, if it is neither in the time's cell nor the trip's date."`
	Time   *source `yaml:"time" jsonschema_description:"Where the time is."`
	Range  text    `yaml:"range" jsonschema:"enum=start,enum=end" jsonschema_description:"Which end of a time such as 8:30-9:00 is meant."`
}

// A countSpec says where a number of passengers comes from.
type countSpec struct {
	source `yaml:",inline"`
	Sum    []*countSpec `yaml:"sum" jsonschema_description:"Several counts, added up."`
	Most   []*countSpec `yaml:"most" jsonschema_description:"The largest of several counts of the same people."`
	Less   int          `yaml:"less" jsonschema_description:"What to subtract: 1 if the count includes the rider."`
	Items  text         `yaml:"items" jsonschema_description:"The count is the number of names in the cell; these characters separate them."`
}

type passengersSpec struct {
	SpaceType *constSource `yaml:"space_type" jsonschema:"required" jsonschema_description:"A space type, or where it comes from."`
	Count     *countSpec   `yaml:"count" jsonschema:"required" jsonschema_description:"How many such passengers ride along."`

	position
}

// A constSource is a source whose short form is the value itself.
type constSource struct {
	source `yaml:",inline"`
}

// A templateSource is a source whose short form is a template.
type templateSource struct {
	source `yaml:",inline"`
}

type distance struct {
	source `yaml:",inline"`
	Unit   text `yaml:"unit" jsonschema:"enum=miles,enum=km,enum=m" jsonschema_description:"The unit of the number; it is sent in miles."`
}

type coordinates struct {
	source `yaml:",inline"`
	Order  text `yaml:"order" jsonschema:"enum=lat_lng,enum=lng_lat" jsonschema_description:"Which of the two comes first. By default the latitude."`
}

// A legSpec says what a trip is made of. Under trip it has everything, under
// return only what differs from the outbound.
type legSpec struct {
	Provider             *source          `yaml:"provider" jsonschema_description:"The transportation provider's name, as the service lists it."`
	FundingSource        *source          `yaml:"funding_source" jsonschema_description:"The funding source's name, as the service lists it."`
	TripID               *source          `yaml:"trip_id" jsonschema_description:"The trip's id. Nothing that may change later belongs in it."`
	LinkedBy             *source          `yaml:"linked_by" jsonschema_description:"The value that legs on rows of their own have in common."`
	Together             bool             `yaml:"together" jsonschema_description:"True: a trip waits until all the trips it is linked with are valid."`
	RiderID              *source          `yaml:"rider_id" jsonschema_description:"The rider's id."`
	SpaceType            *source          `yaml:"space_type" jsonschema_description:"The space type, by a table of the broker's words."`
	TripType             *source          `yaml:"trip_type" jsonschema_description:"appointment, return or will call, if a column says so. Otherwise it follows from the times."`
	Phone                *source          `yaml:"phone" jsonschema_description:"The rider's phone."`
	BillableDistance     *distance        `yaml:"billable_distance" jsonschema_description:"The distance to be billed. Without it, the service calculates it."`
	AdditionalPassengers []passengersSpec `yaml:"additional_passengers" jsonschema_description:"Who rides along."`
	Date                 *source          `yaml:"date" jsonschema_description:"The day of service, for all times that have no date of their own."`
	Pickup               eventSpec        `yaml:"pickup" jsonschema_description:"Where and when the rider is picked up."`
	Dropoff              eventSpec        `yaml:"dropoff" jsonschema_description:"Where the rider is taken, and when the appointment is."`
	WillCall             []willCall       `yaml:"will_call" jsonschema_description:"When the trip is a will call: any of these."`
	PickupOnly           text             `yaml:"pickup_only" jsonschema:"enum=return" jsonschema_description:"return: a trip with only a pickup time is a Return."`

	position
}

// An eventSpec says what a pickup or a dropoff is made of. Its keys are in the
// order in which a person reads a trip. Explanations and proposals keep this
// order.
type eventSpec struct {
	EventName    *source `yaml:"event_name" jsonschema_description:"The event's name."`
	locationSpec `yaml:",inline"`
	EventComment *source       `yaml:"event_comment" jsonschema_description:"Notes for the driver."`
	PickupTime   *dateTimeSpec `yaml:"pickup_time" jsonschema_description:"When the rider is picked up. Only for the pickup."`
	ApptTime     *dateTimeSpec `yaml:"appt_time" jsonschema_description:"When the appointment is."`
}

// A locationSpec says where an event is. A return that gives another address
// inherits nothing of the old location.
type locationSpec struct {
	LocationName    *source      `yaml:"location_name" jsonschema_description:"The name of the place."`
	CompleteAddress *source      `yaml:"complete_address" jsonschema_description:"The whole address on one line, sent as it is."`
	Address         *source      `yaml:"address" jsonschema_description:"The whole address on one line, split into street, unit, city, state and ZIP; sent whole if it can't be split."`
	Address1        *source      `yaml:"address1" jsonschema_description:"Street number and street."`
	Address2        *source      `yaml:"address2" jsonschema_description:"Apartment, suite or room."`
	City            *source      `yaml:"city" jsonschema_description:"The city."`
	State           *source      `yaml:"state" jsonschema_description:"The state's two letters."`
	Zip             *source      `yaml:"zip" jsonschema_description:"The ZIP code."`
	Latitude        *source      `yaml:"latitude" jsonschema_description:"Degrees north."`
	Longitude       *source      `yaml:"longitude" jsonschema_description:"Degrees east; negative in America."`
	Coordinates     *coordinates `yaml:"coordinates" jsonschema_description:"Latitude and longitude in one cell."`
	PhoneNumber     *source      `yaml:"phone_number" jsonschema_description:"The phone of the place, not the rider's."`
	SplitUnit       bool         `yaml:"split_unit" jsonschema_description:"True: an apartment at the end of the street line moves to address2."`
}

// A willCall is a rule for will calls. It applies if all its parts do.
type willCall struct {
	When   *condition `yaml:"when" jsonschema_description:"A condition that must hold."`
	Times  []text     `yaml:"times" jsonschema_description:"Times that mean a will call, such as 00:00 and 23:59."`
	Words  []text     `yaml:"words" jsonschema_description:"Words in a time's cell that mean a will call."`
	NoTime bool       `yaml:"no_time" jsonschema_description:"True: a trip without pickup time and appointment time."`
}

type roundTripSpec struct {
	When   *condition `yaml:"when" jsonschema:"required" jsonschema_description:"When a row is a round trip."`
	TripID tripIDs    `yaml:"trip_id" jsonschema:"required" jsonschema_description:"The ids of the legs, by templates; {trip_id} is the row's own."`
	Return returnSpec `yaml:"return" jsonschema:"required" jsonschema_description:"The way back: events are swapped whole, no time is copied, and anything here replaces the trip's own."`
	Third  *thirdSpec `yaml:"third" jsonschema_description:"A third leg, as the return."`

	position
}

type tripIDs struct {
	Outbound *templateSource `yaml:"outbound" jsonschema:"required" jsonschema_description:"The way there: {trip_id}-A"`
	Return   *templateSource `yaml:"return" jsonschema:"required" jsonschema_description:"The way back: {trip_id}-B"`
	Third    *templateSource `yaml:"third" jsonschema_description:"The third leg: {trip_id}-C"`
}

type returnSpec struct {
	legSpec   `yaml:",inline"`
	BlankTime text `yaml:"blank_time" jsonschema:"enum=will_call" jsonschema_description:"will_call: a return without a pickup time is a will call. By default it is a fault."`
}

type thirdSpec struct {
	returnSpec `yaml:",inline"`
	When       *condition `yaml:"when" jsonschema_description:"When there is a third leg. By default always."`
}

type ruleSpec struct {
	MaxDaysAhead         int           `yaml:"max_days_ahead" jsonschema:"minimum=1" jsonschema_description:"How many days ahead a trip may be. By default 180."`
	AllowPast            bool          `yaml:"allow_past" jsonschema_description:"True: a trip before today is a notice, not a fault."`
	MaxDistanceRatio     float64       `yaml:"max_distance_ratio" jsonschema_description:"How many times the straight line a distance may be. By default 10."`
	Area                 *areaSpec     `yaml:"area" jsonschema_description:"Where positions must be. By default in the United States."`
	DoubleBookingMinutes int           `yaml:"double_booking_minutes" jsonschema_description:"How many minutes apart two like trips may be a double booking. By default 15."`
	SpaceTypes           []text        `yaml:"space_types" jsonschema_description:"The allowed space types. By default those of the table."`
	Notices              []problemCode `yaml:"notices" jsonschema_description:"Codes of problems that are to be notices."`
	Faults               []problemCode `yaml:"faults" jsonschema_description:"Codes of problems that are to be faults, which stop the trip."`

	position
}

// A problemCode is the code of a problem whose severity a mapping may turn.
type problemCode struct{ text }

type areaSpec struct {
	South float64 `yaml:"south" jsonschema:"required"`
	West  float64 `yaml:"west" jsonschema:"required"`
	North float64 `yaml:"north" jsonschema:"required"`
	East  float64 `yaml:"east" jsonschema:"required"`
}

func (s *source) shortForm() any { return &s.Column }

func (s *unusedSpec) shortForm() any { return &s.Column }

func (c *constSource) shortForm() any { return &c.Const }

func (t *templateSource) shortForm() any { return &t.Template }

func (w *willCall) shortForm() any { return &w.When }
