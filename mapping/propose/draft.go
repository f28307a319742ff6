package propose

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// A Draft is a proposal in YAML, with the questions that it leaves open.
type Draft struct {
	// Text is the mapping. A comment on each line says why it is proposed and how
	// sure that is. The only row content in it are words that decide something.
	Text      string
	Questions []Question

	later []Question // those that an answer to another one opens
}

// Names are the providers and funding sources that the service listed when it was last
// asked.
type Names struct{ Providers, FundingSources []string }

// Draft writes the proposal as a draft of a mapping with that name.
func (p *Proposal) Draft(name string, known Names) Draft {
	w := &draft{p: p, fields: maps.Clone(p.fields), used: map[int]bool{}, spare: map[int][]*column{}}
	w.line("# yaml-language-server: $schema=" + mapping.SchemaID)
	w.line(versionLine)
	w.line("broker: " + strconv.Quote(name))
	w.line(completeLine())
	w.read()
	w.cancelled()
	w.status()
	w.line("trip:")
	w.decide(importer.FieldProvider, "which transportation provider drives these trips?", known.Providers, "Lakeshore Transit")
	w.decide(importer.FieldFundingSource, "which funding source pays?", known.FundingSources, "Harborview Health")
	w.tripID()
	w.linkedBy()
	w.riderID()
	w.spaceType()
	w.rest()
	w.events()
	w.willCall()
	w.pickupOnly()
	w.roundTrip()
	return Draft{w.text.String(), append(w.questions, completeQuestion()), w.later}
}

// versionLine is the first line of a draft that a program reads.
const versionLine = "mapping: 1"

// A draft is a proposal while it is written.
type draft struct {
	p         *Proposal
	fields    map[importer.Field]Field
	used      map[int]bool      // numbers of columns
	spare     map[int][]*column // by the number of a column: those that are taken where it has no value
	text      strings.Builder
	questions []Question
	later     []Question
	seats     bool // the columns that count the seats of each kind are asked about
}

func (w *draft) line(s string) { w.text.WriteString(s + "\n") }

// lines returns the lines of a part of a draft.
func (w *draft) lines() string { return strings.TrimSuffix(w.text.String(), "\n") }

// because writes a line with its reason in a comment.
func (w *draft) because(line, why string) { w.line(fmt.Sprintf("%-64s # %s", line, why)) }

// noted writes a line that a field's column is the reason for, if it has one.
func (w *draft) noted(line string, f Field) {
	if f.column == nil {
		w.line(line)
		return
	}
	w.because(line, "column "+f.Ref()+": "+f.Certainty())
}

// isField reports whether the column holds a field of a trip.
func (p *Proposal) isField(c *column) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(p.fields)), func(f Field) bool { return f.column == c })
}

// use marks a column as used.
func (w *draft) use(c *column) *column {
	w.used[c.Num] = true
	return c
}

// name returns a column as a mapping names it, and marks it as used.
func (w *draft) name(c *column) string { return w.use(c).name }

// with returns a column with further keys.
func (c *column) with(keys string) string { return "{column: " + c.name + ", " + keys + "}" }

// quoted puts a text into quotes if YAML would read it as something else.
func quoted(s string) string {
	plain := s != "" && !strings.ContainsAny(s, "#:{}[],&*!|>'\"%@`\\") && !strings.ContainsAny(s[:1], "-? =") && strings.TrimSpace(s) == s
	if plain && !slices.Contains([]string{"true", "false", "null", "~", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

func quotedAll(texts []string) string {
	return "[" + strings.Join(importer.Each(texts, quoted), ", ") + "]"
}

// find returns the first unused column that fits; nil if there is none.
func (w *draft) find(fits func(*column) bool) *column {
	for _, c := range w.p.sheet.columns {
		if !w.used[c.Num] && !c.says("actual", "driver", "doctor", "meta", "vehicledetail") && fits(c) {
			return c
		}
	}
	return nil
}

// findAll returns all unused columns that fit, and marks them as used.
func (w *draft) findAll(fits func(*column) bool) []*column {
	var all []*column
	for c := w.find(fits); c != nil; c = w.find(fits) {
		w.used[c.Num] = true
		all = append(all, c)
	}
	return all
}

// surelyUnit is how sure an apartment must be: a floor or a room may be of either place.
const surelyUnit = 0.5

// field writes a field for which a column was found, or asks about it if another one may hold it as well.
// It writes nothing for any other field.
func (w *draft) field(name importer.Field, indent int) {
	f, ok := w.fields[name]
	_, key := name.Split()
	if !ok || key == importer.FieldAddress2 && f.Sure < surelyUnit {
		return
	}
	if ask := whichColumn()[name]; f.rivalled && ask != "" {
		w.askColumn(name, indent, ask, nil, "")
		return
	}
	w.noted(strings.Repeat(" ", indent)+string(key)+": "+w.valueOf(name, w.use(f.column)), f)
}

// valueOf returns the value of a field that a column holds.
func (w *draft) valueOf(name importer.Field, c *column) string {
	switch event, key := name.Split(); {
	case key == importer.FieldEventName && event == importer.FieldPickup:
		return w.fullName(c)
	case key == importer.FieldAddress1:
		return w.wholeStreet(c)
	case name == importer.FieldPhone:
		return w.firstOf(c, func(x *column) bool {
			return x.side() == "" && x.says("phone") && x.is(isPhone) && !x.says("facility", "provider", "vendor")
		})
	case key == importer.FieldPickupTime || key == importer.FieldApptTime:
		return w.timeOfWay(c, name)
	}
	return w.name(c)
}

// whichColumn returns the questions about the fields of which a wrong column has the wrong person or time.
func whichColumn() map[importer.Field]string {
	return map[importer.Field]string{
		importer.FieldTripID:  "which column identifies a trip and never changes?",
		importer.FieldRiderID: "which column identifies the rider?",
		importer.FieldDate:    "which column has the day of the trip? each row is one trip",
		importer.PickupTime:   "which column has the time of the pickup?",
		importer.DropoffAppt:  "which column has the time of the appointment?",
	}
}

// joined returns columns as a list, and a single column as it is.
func (w *draft) joined(columns ...*column) string {
	return oneOrList(importer.Each(columns, w.name))
}

// oneOrList returns a single item as it is, and several as a list.
func oneOrList(items []string) string {
	if len(items) == 1 {
		return items[0]
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// firstOf returns a column together with the others that have a value in rows where it
// has none. The mapping takes the first value that is not blank.
func (w *draft) firstOf(c *column, others func(*column) bool) string {
	w.used[c.Num] = true
	rest := w.findAll(func(x *column) bool { return others(x) && lacks(x, c) })
	if rest == nil {
		return w.name(c)
	}
	w.spare[c.Num] = rest
	return "{first: " + w.joined(append([]*column{c}, rest...)...) + "}"
}

// fullName joins a first name with the last name beside it.
func (w *draft) fullName(c *column) string {
	last := w.find(func(x *column) bool { return x.says("last") && x.filled > 0 && x.says("rider") == c.says("rider") })
	if !c.says("first") || last == nil {
		return w.name(c)
	}
	return w.joined(c, last)
}

// wholeStreet joins a street with the house number beside it.
func (w *draft) wholeStreet(c *column) string {
	other := w.find(func(x *column) bool {
		anothers := slices.ContainsFunc([]string{"rider", "residence", "facility", "provider"}, func(who string) bool { return x.says(who) != c.says(who) })
		return x.side() == c.side() && !anothers && x.says("houseno") != c.says("houseno") && (x.says("houseno") || x.says("street", "address"))
	})
	switch {
	case other == nil || c.is(isStreet):
		return w.name(c)
	case c.says("houseno"):
		return w.joined(c, other)
	}
	return w.joined(other, c)
}

// timeOfWay returns the time of a pickup or an appointment. If the file has one time
// for both, and its header names neither, it is the appointment of a trip there and the pickup of a trip back.
func (w *draft) timeOfWay(c *column, name importer.Field) string {
	_, pickup := w.fields[importer.PickupTime]
	_, appt := w.fields[importer.DropoffAppt]
	if pickup && appt {
		return w.dated(c, w.firstOf(c, func(x *column) bool {
			named := strings.Contains(values.HeaderKey(x.Header), string(c.side())) // requested pick-up is one concept
			return c.side() != "" && (x.side() == c.side() || x.side() == "" && named) && x.says("time") && x.says("planned") && x.is(isTime)
		}))
	}
	switch way := w.wayBack(); {
	case way == "" || c.side() != "":
		return w.name(c)
	case name == importer.PickupTime:
		return w.use(c).with("when: " + way)
	default:
		return w.use(c).with("when: {not: " + way + "}")
	}
}

// wayBack returns the condition that a row is a trip back, by a column whose words say which way a row is, or by the
// letter of its leg; empty if nothing shows it.
func (w *draft) wayBack() string {
	for _, c := range w.p.sheet.columns {
		if c.is(isDirection) && len(c.distinct) > 1 && !c.says("gender") {
			var words [2][]string
			for _, v := range c.distinct {
				for i, way := range []string{"the way there", second} {
					if means(v.text, way) != "" {
						words[i] = append(words[i], v.text)
					}
				}
			}
			if len(words[0]) > 0 && len(words[1]) > 0 {
				return c.with("is: " + quotedAll(words[1]))
			}
		}
	}
	if f, ok := w.fields[importer.FieldTripID]; ok && w.use(f.column).endsInLeg() {
		return w.use(f.column).with("matches: '[B-D]A?$'")
	}
	return ""
}

// endsInLeg reports whether trip numbers end in the letter of their leg.
func (c *column) endsInLeg() bool {
	return c.share(func(v cell) bool { return legLetter.MatchString(v.text) }) >= nearlyAll
}

// linkedBy writes the value that linked trips have in common.
func (w *draft) linkedBy() {
	f, ok := w.fields[mapping.FieldLinkedBy]
	id := w.fields[importer.FieldTripID]
	switch {
	case ok && f.column == id.column:
		w.noted("  linked_by: "+w.use(f.column).with(`replace: {'[A-D]A?$': ""}`), f)
	case ok:
		w.field(mapping.FieldLinkedBy, 2)
	}
}

// rest writes the fields of the trip itself that need no more than a column, and who rides along.
func (w *draft) rest() {
	w.field(importer.FieldPhone, 2)
	w.field(importer.FieldBillableDistance, 2)
	w.passengers()
	w.field(importer.FieldDate, 2)
	if !w.p.has(importer.FieldDate) && w.withDay() == nil {
		w.askColumn(importer.FieldDate, 2, whichColumn()[importer.FieldDate], nil, "")
	}
}

// columnsOf returns the columns of those of the fields for which one was found.
func (w *draft) columnsOf(fields ...importer.Field) (all []*column) {
	for _, name := range fields {
		if f, ok := w.fields[name]; ok {
			all = append(all, f.column)
		}
	}
	return all
}

// withDay returns the first time that has the day as well; nil if none has.
func (w *draft) withDay() *column {
	for _, c := range w.columnsOf(importer.PickupTime, importer.DropoffAppt) {
		if c.is(isDateTime) {
			return c
		}
	}
	return nil
}

// coordinates writes a latitude and a longitude in two columns.
func (w *draft) coordinates(side importer.Field) {
	lat, hasLat := w.fields[side.Of(importer.FieldLatitude)]
	lng, hasLng := w.fields[side.Of(importer.FieldLongitude)]
	if hasLat && hasLng {
		w.noted("    coordinates: "+w.joined(w.use(lat.column), w.use(lng.column)), lat)
	}
}

// event writes a pickup or a dropoff, with a question if no column says where it
// is.
func (w *draft) event(side importer.Field) {
	w.line("  " + string(side) + ":")
	oneLine, writeAddress := w.addressOf(side)
	if oneLine {
		writeAddress()
	}
	for _, name := range mapping.FieldNames() {
		event, part := name.Split()
		switch {
		case event != side || oneLine && slices.Contains(lineParts(), part):
		case part == importer.FieldLatitude:
			w.coordinates(side)
		case part == importer.FieldLongitude: // written with the latitude
		case name == importer.PickupTime && w.mayBeAppointment(): // asked about below
			w.use(w.fields[name].column)
		default:
			w.field(name, 4)
		}
	}

	w.otherTime(side)
	if w.columnsOf(importer.PickupTime, importer.DropoffAppt) == nil || w.mayBeAppointment() {
		w.askForTime(side)
	}
	if !oneLine {
		writeAddress()
	}
}

// otherTime writes the time of an event if the file has one time for both events.
func (w *draft) otherTime(side importer.Field) {
	pickup, hasPickup := w.fields[importer.PickupTime]
	appt, hasAppt := w.fields[importer.DropoffAppt]
	way := w.wayBack()
	switch {
	case way == "":
	case side == importer.FieldPickup && hasAppt && !hasPickup && appt.side() == "":
		w.line("    pickup_time: " + w.use(appt.column).with("when: "+way))
	case side == importer.FieldDropoff && hasPickup && !hasAppt && pickup.side() == "":
		w.line("    appt_time: " + w.use(pickup.column).with("when: {not: "+way+"}"))
	}
}
