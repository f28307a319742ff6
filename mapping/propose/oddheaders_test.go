package propose

import (
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestOddHeaders drafts mappings for files whose headers mean something in the mapping
// language, need quotes or repeat. The legs of a trip have ids of their own, and each column
// with a reason for a cancellation leaves its rows out.
func TestOddHeaders(t *testing.T) {
	const row = `,A1,12/30/2026,8:30,"1 Elm St, Troy, MI 48083","9 Oak St, Troy, MI 48083",AMB,`
	for name, headers := range map[string]string{
		"names of templates": "trip_id,leg,member_id,date,pickup_time,pickup_address,dropoff_address,mobility,cancel reason,remarks",
		"quotes":             `"Trip ""No""","Leg ""A""",Member ID,Date,Pickup Time,PU Address,DO Address,Mobility,Cancel Reason,CANCEL-REASON`,
	} {
		rows := mappingtest.Rows(t, "odd.csv", headers+"\n"+
			"1,A"+row+",\n1,B"+row+",\n2,A"+row+",\n2,B"+row+",\n3,A"+row+"ill,\n3,B"+row+"weather,\n")
		p := Mapping(rows, rows, nil)
		d := p.Draft(name, Names{})
		text := d.Text
		for i := range d.Questions {
			text = answeredBy(&p, &d.Questions[i], text, map[string]string{"funding": "County Plan"})
		}

		bound, err := bindText("odd.yaml", text, rows)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, d.Text)
			continue
		}
		var got []string
		for _, r := range rows[1:] {
			if m := bound.Map(r, nil); m.LeftOut != "" {
				got = append(got, "out")
			} else if importer.Faulty(m.AllProblems()) {
				t.Errorf("%s: %v", name, m.AllProblems())
			} else {
				got = append(got, m.Trips[0].ID)
			}
		}
		if want := "1-A 1-B 2-A 2-B out out"; strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s\n%s", name, strings.Join(got, " "), want, text)
		}
	}
}

// TestMisleadingHeaders has a time that is called Pickup above places whose headers repeat, and an address to
// which only the return goes: each place keeps its own address.
func TestMisleadingHeaders(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"a time called pickup": {
			"Trip ID,Rider ID,Date,Pickup,Appt,Address,City,State,Zip,Address,City,State,Zip,LOS\n" +
				"T1,R1,12/22/2026,8:30 AM,9:15 AM,11 Alder Ct,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48111,AMB\n" +
				"T2,R2,12/22/2026,8:45 AM,9:30 AM,12 Alder Ct,Westfield,MI,48111,90 Mill Rd,Westfield,MI,48111,AMB\n",
			`address1: "Address#1"; address1: "Address#2"`,
		},
		"a row above that names the sides, the drop-off first": {
			"Rider,,,,Drop-off,,,,,Pickup\n" +
				"Trip ID,Rider ID,Date,LOS,Time,Address,City,State,Zip,Time,Address,City,State,Zip\n" +
				"T1,R1,12/22/2026,AMB,9:15 AM,700 Bay Rd,Westfield,MI,48111,8:30 AM,11 Alder Ct,Westfield,MI,48111\n" +
				"T2,R2,12/22/2026,AMB,9:30 AM,90 Mill Rd,Westfield,MI,48111,8:45 AM,12 Alder Ct,Westfield,MI,48111\n",
			`address1: "Address#2"; address1: "Address#1"`,
		},
		"a title that names them": {
			"Trips to and from Westfield\n" +
				"Trip ID,Rider ID,Date,LOS,Time,Address,City,State,Zip,Time,Address,City,State,Zip\n" +
				"T1,R1,12/22/2026,AMB,8:30 AM,11 Alder Ct,Westfield,MI,48111,9:15 AM,700 Bay Rd,Westfield,MI,48111\n" +
				"T2,R2,12/22/2026,AMB,8:45 AM,12 Alder Ct,Westfield,MI,48111,9:30 AM,90 Mill Rd,Westfield,MI,48111\n",
			`address1: "Address#1"; address1: "Address#2"`,
		},
		"departures": {
			"Trip ID,Rider ID,Date,Departure Address,Departure Time,Arrival Address,Arrival Time,LOS\n" +
				"T1,R1,12/22/2026,\"11 Alder Ct, Westfield, MI 48111\",8:30 AM,\"700 Bay Rd, Westfield, MI 48111\",9:15 AM,AMB\n" +
				"T2,R2,12/22/2026,\"12 Alder Ct, Westfield, MI 48111\",8:45 AM,\"90 Mill Rd, Westfield, MI 48111\",9:30 AM,AMB\n",
			"address: Departure Address",
		},
		"where the return goes": {
			"Trip ID,Rider ID,Date,PU Time,Appt,Return Time,Return To Address,PU Address,PU City,PU State,PU Zip,DO Address,DO City,DO State,DO Zip,LOS\n" +
				"T1,R1,12/22/2026,8:30 AM,9:15 AM,1:00 PM,\"11 Alder Ct, Westfield, MI 48111\",11 Alder Ct,Westfield,MI,48111,700 Bay Rd,Westfield,MI,48111,AMB\n" +
				"T2,R2,12/22/2026,8:45 AM,9:30 AM,1:15 PM,\"12 Alder Ct, Westfield, MI 48111\",12 Alder Ct,Westfield,MI,48111,90 Mill Rd,Westfield,MI,48111,AMB\n",
			"address1: PU Address; address1: DO Address",
		},
	} {
		rows := mappingtest.Rows(t, "odd.csv", test.file)
		p := Mapping(rows, rows, nil)
		text, _, _ := strings.Cut(p.Draft(name, Names{}).Text, "round_trip:")
		var got []string
		for line := range strings.Lines(text) {
			if line, _, _ = strings.Cut(line, "  #"); strings.Contains(line, "address") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, "; "), test.want)
		}
	}
}
