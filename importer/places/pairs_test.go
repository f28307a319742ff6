package places_test

import (
	"fmt"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/places"
	"tripimport/importer/usps"
)

// A pair is a line of a places list (street | city | state | ZIP) and an address
// of a row (on one line, or street | unit | city | state | ZIP). All are invented.
const samePlace = `
Urb Las Flores, 12 Calle Rosa|San Juan|PR|00926 = Urb. Las Flores, 12 Calle Rosa, San Juan, PR 00926
12 Calle Rosa|San Juan|PR|00926 = 12 Calle Rosa Apt 4, San Juan, Puerto Rico 00926-1234
12 Calle Rosa|San Juan|PR|00926 = 12 Calle Rosa|Apt 4|San Juan|PR|00926
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 ALDER WAY, DEARBORN, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12  alder   way ,dearborn , mi  48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Wy, Dearborn, MI 48124-3310
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, Michigan 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way Dearborn MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI, 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI 48124, USA
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI 48124, United States
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, M.I. 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way||Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way||Dearborn|mi|481243310
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way||Dearborn|Michigan|48124-3310
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way|//|Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way|Apt 4|Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way #4||Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way # 4||Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way Apt. 4||Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way , Apt . 4||Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Apt 4, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way Unit B Dearborn MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI 48124 Apt 4
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI 48124, Apt 4
12 Alder Way|Dearborn|MI|48124 = Apt 4, 12 Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way|4B|Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way|gate at the left|Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way|Bldg. D|Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, 3rd Floor, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = Copper Clinic, 12 Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = Copper Clinic|12 Alder Way|Dearborn|MI|48124
900 Forge St|Detroit|MI|48226 = 900 Forge Street, Detroit, MI 48226
900 Forge St|Detroit|MI|48226 = 900 Forge St., Detroit, MI 48226
900 Forge St|Detroit|MI|48226 = 900 FORGE STR, DETROIT, MI 48226
900 Forge Street|Detroit|MI|48226 = 900 forge st||detroit|mi|48226
900 Forge St|Detroit|MI|48226 = 900 Forge St Ste 300, Detroit, MI 48226
900 Forge St|Detroit|MI|48226 = 900 Forge St Suite #300, Detroit, MI 48226
900 Forge St|Detroit|MI|48226 = 900 Forge St ste300, Detroit, MI 48226
900 Forge St|Detroit|MI|48226 = 900 Forge St Ste 300 Fl 3, Detroit, MI 48226
900 Forge St Ste 300|Detroit|MI|48226 = 900 Forge St, Suite 300, Detroit, MI 48226
900 Forge St Ste 300|Detroit|MI|48226 = 900 Forge St #300, Detroit, MI 48226
900 Forge St Ste 300|Detroit|MI|48226 = 900 Forge St|300|Detroit|MI|48226
900 Forge St Ste 300|Detroit|MI|48226 = 900 Forge St, Detroit, MI 48226
77 Cholla Ct #5|Mesa|AZ|85210 = 77 Cholla Court Apt 5, Mesa, AZ 85210
77 Cholla Ct #5|Mesa|AZ|85210 = 77 Cholla Crt No. 5, Mesa, AZ 85210
77 Cholla Ct #5B|Mesa|AZ|85210 = 77 Cholla Ct Unit 5 B, Mesa, AZ 85210
77 Cholla Ct #5B|Mesa|AZ|85210 = 77 Cholla Ct apt 5-B, Mesa, AZ 85210
1700 E Juniper St|Austin|TX|78702 = 1700 East Juniper Street, Austin, TX 78702
1700 E Juniper St|Austin|TX|78702 = 1700 E. Juniper St., Austin, Texas 78702
1700 East Juniper St|Austin|TX|78702 = 1700 E Juniper Street||Austin|TX|78702-4490
40 NW Lark Ave|Bend|OR|97703 = 40 Northwest Lark Avenue, Bend, OR 97703
40 NW Lark Ave|Bend|OR|97703 = 40 N.W. Lark Av, Bend, OR 97703
40 Lark Ave NE|Salem|OR|97301 = 40 Lark Avenue Northeast, Salem, OR 97301
40 Lark Ave NE|Salem|OR|97301 = 40 Lark Ave N.E., Salem, OR 97301
123 S 500 E|Provo|UT|84606 = 123 South 500 East, Provo, UT 84606
18 W North Ave|Chicago|IL|60610 = 18 West North Avenue, Chicago, IL 60610
300 N St NW|Washington|DC|20001 = 300 N Street Northwest, Washington, DC 20001
300 Avenue E|Bayonne|NJ|07002 = 300 Ave E, Bayonne, NJ 07002
300 Avenue E|Bayonne|NJ|07002 = 300 Avenue E||Bayonne|NJ|7002
66 5th Ave|New York|NY|10011 = 66 Fifth Avenue, New York, NY 10011
66 Fifth Ave|New York|NY|10011 = 66 5th Ave, New York, New York 10011
1801 E 51st St|Austin|TX|78723 = 1801 E 51st St , Apt . 100 , Bldg . G , Austin , TX 78723-3434
9 St Clair Ave|Flint|MI|48502 = 9 Saint Clair Avenue, Flint, MI 48502
9 Saint James St|Flint|MI|48502 = 9 St. James St, Flint, MI 48502
9 Mt Hope Rd|Lansing|MI|48910 = 9 Mount Hope Road, Lansing, MI 48910
9 Ft Wayne Pl|Lansing|MI|48910 = 9 Fort Wayne Place, Lansing, MI 48910
9 Dr Martin Luther King Jr Blvd|Lansing|MI|48915 = 9 Doctor Martin Luther King Jr. Boulevard, Lansing, MI 48915
800 Ranch Rd 620 S|Lakeway|TX|78734 = 800 Ranch Road 620 South, Lakeway, TX 78734
800 Ranch Rd 620 S|Lakeway|TX|78734 = 800 Ranch Rd 620 S|Ste 9|Lakeway|TX|78734
4100 US Highway 23|Oscoda|MI|48750 = 4100 U.S. Hwy 23, Oscoda, MI 48750
5 State Route 13|Camden|NY|13316 = 5 State Rte 13, Camden, NY 13316
10 Prospect Hill Rd|Salem|MA|01970 = 10 Prospect Hill Road||Salem|MA|1970
10 Prospect Hill Rd|Salem|MA|01970 = 10 Prospect Hl Rd, Salem, MA 01970
31 Willow Crt|Quincy|MA|02169 = 31 Willow Court, Quincy, MA 02169
31 Willow Ct|Quincy|MA|02169 = 31 Willow Crt, Quincy, MA 02169
8 Mill Pond Ter|Lynn|MA|01902 = 8 Mill Pond Terrace, Lynn, MA 01902
8 Quarry Pkwy|Lynn|MA|01902 = 8 Quarry Parkway, Lynn, MA 01902
8 Quarry Cir|Lynn|MA|01902 = 8 Quarry Circle, Lynn, MA 01902
8 Quarry Trl|Lynn|MA|01902 = 8 Quarry Trail, Lynn, MA 01902
8 Quarry Hwy|Lynn|MA|01902 = 8 Quarry Highway, Lynn, MA 01902
8 Quarry Sq|Lynn|MA|01902 = 8 Quarry Square, Lynn, MA 01902
8 Quarry Ln|Lynn|MA|01902 = 8 Quarry Lane, Lynn, MA 01902
8 Quarry Xing|Lynn|MA|01902 = 8 Quarry Crossing, Lynn, MA 01902
8 Quarry Pt|Lynn|MA|01902 = 8 Quarry Point, Lynn, MA 01902
8 Quarry Dr|Lynn|MA|01902 = 8 Quarry Drive, Lynn, MA 01902
12-34 Quince St|Queens|NY|11101 = 12-34 Quince Street, Queens, NY 11101
418 1/2 Elder St|Ogden|UT|84401 = 418 1/2 Elder Street, Ogden, UT 84401
418A Elder St|Ogden|UT|84401 = 418a Elder Street, Ogden, UT 84401
One Mercy Plaza|Detroit|MI|48235 = Mercy Clinic|One Mercy Plz|Detroit|MI|48235
1 Mercy Plaza|Detroit|MI|48235 = 1 Mercy Plaza|Rm 412|Detroit|MI|48235
5 O'Hara Ln|Boise|ID|83702 = 5 OHara Lane, Boise, ID 83702
5 O'Hara Ln|Boise|ID|83702 = 5 O’Hara Ln, Boise, ID 83702
5 Canon Rd|Canon City|CO|81212 = 5 Cañon Rd, Cañon City, CO 81212
5 Ivy St|St. Louis|MO|63101 = 5 Ivy St, Saint Louis, MO 63101
5 Ivy St|Saint Louis|MO|63101 = 5 Ivy St St Louis MO 63101
5 Ivy St|Ft Worth|TX|76102 = 5 Ivy Street, Fort Worth, TX 76102
5 Ivy St|N Las Vegas|NV|89030 = 5 Ivy St, North Las Vegas, NV 89030
5 Ivy St|Shaker Hts|OH|44120 = 5 Ivy St, Shaker Heights, OH 44120
5 Ivy St|Clinton Twp|MI|48035 = 5 Ivy St, Clinton Township, MI 48035
5 Ivy St|Mt Pleasant|MI|48858 = 5 Ivy St, Mount Pleasant, MI 48858
5 Ivy St|Winston-Salem|NC|27101 = 5 Ivy St, Winston Salem, NC 27101
5 Broadway|Gary|IN|46402 = 5 Broadway, Gary, IN 46402
1601 Space Center Blvd|Houston|TX|77058 = 1601 Space Ctr Boulevard, Houston, TX 77058
5 Park Ave S|New York|NY|10003 = 5 Park Avenue South, New York, NY 10003
5 Court St|Reno|NV|89501 = 5 Ct Street, Reno, NV 89501
5 Ivy St Lot 12|Reno|NV|89501 = 5 Ivy St #12, Reno, NV 89501
5 Ivy St|Reno|NV|89501 = 5 Ivy St (side door), Reno, NV 89501
`

const otherPlace = `
Urb Las Flores, 12 Calle Rosa|San Juan|PR|00926 = Urb Los Pinos, 12 Calle Rosa, San Juan, PR 00926
12 Calle Rosa, Las Flores|San Juan|PR|00926 = 12 Calle Rosa|Los Pinos|San Juan|PR|00926
12 Calle Rosa|San Juan|PR|00926 = Urb Los Pinos|12 Calle Rosa|San Juan||00926
12 Alder Way|Dearborn|MI|48124 = 14 Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 112 Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12A Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 1/2 Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12-14 Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Elder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alders Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder St, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Detroit, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn Heights, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI 48126
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MO 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way||Dearborn||
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way||||
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way||Dearborn|MI|481
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way||Dearborn|Mich|48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way|16 Birch St|Dearborn|MI|48124
12 Alder Way|Dearborn|MI|48124 = 12 E Alder Way, Dearborn, MI 48124
12 Alder Way|Dearborn|MI|48124 = 12 Alder Way E, Dearborn, MI 48124
12 E Alder Way|Dearborn|MI|48124 = 12 W Alder Way, Dearborn, MI 48124
12 E Alder Way|Dearborn|MI|48124 = 12 Alder Way, Dearborn, MI 48124
12 E Alder Way|Dearborn|MI|48124 = 12 Alder Way E, Dearborn, MI 48124
40 NW Lark Ave|Bend|OR|97703 = 40 N Lark Ave, Bend, OR 97703
40 NW Lark Ave|Bend|OR|97703 = 40 NE Lark Ave, Bend, OR 97703
77 Cholla Ct #5|Mesa|AZ|85210 = 77 Cholla Ct #6, Mesa, AZ 85210
77 Cholla Ct #5|Mesa|AZ|85210 = 77 Cholla Ct Apt 5B, Mesa, AZ 85210
77 Cholla Ct #5|Mesa|AZ|85210 = 77 Cholla Ct|6|Mesa|AZ|85210
77 Cholla Ct #5|Mesa|AZ|85210 = 775 Cholla Ct, Mesa, AZ 85210
77 Cholla Ct Bldg G|Mesa|AZ|85210 = 77 Cholla Ct Bldg H, Mesa, AZ 85210
Mercy Clinic, One Mercy Plaza|Detroit|MI|48235 = Mercy Clinic|One Forge Plaza|Detroit|MI|48235
300 S St|Sacramento|CA|95811 = 300 South St, Sacramento, CA 95811
300 E St|Sacramento|CA|95811 = 300 East Street, Sacramento, CA 95811
300 Avenue E|Bayonne|NJ|07002 = 300 Avenue East, Bayonne, NJ 07002
300 Avenue E|Bayonne|NJ|07002 = 300 E Avenue, Bayonne, NJ 07002
300 N St NW|Washington|DC|20001 = 300 N St NE, Washington, DC 20001
66 5th Ave|New York|NY|10011 = 66 15th Ave, New York, NY 10011
66 5th Ave|New York|NY|10011 = 66 5th St, New York, NY 10011
66 5th Ave|New York|NY|10011 = 665 5th Ave, New York, NY 10011
51 1st St|Reno|NV|89501 = 5 11st St, Reno, NV 89501
5 State Route 13|Camden|NY|13316 = 5 County Road 13, Camden, NY 13316
5 State Route 13|Camden|NY|13316 = 5 State Route 31, Camden, NY 13316
4100 US Highway 23|Oscoda|MI|48750 = 4100 Highway 23, Oscoda, MI 48750
800 Ranch Rd 620 S|Lakeway|TX|78734 = 800 Ranch Rd 620 N, Lakeway, TX 78734
800 Ranch Rd 620 S|Lakeway|TX|78734 = 800 Ranch Rd 2222 S, Lakeway, TX 78734
800 Ranch Rd 620 S|Lakeway|TX|78734 = 800 Ranch Rd, Lakeway, TX 78734
9 St Clair Ave|Flint|MI|48502 = 9 Clair St, Flint, MI 48502
9 Mt Hope Rd|Lansing|MI|48910 = 9 Hope Rd, Lansing, MI 48910
5 Park Ave|New York|NY|10003 = 5 Park Ave S, New York, NY 10003
5 Ivy St W|Palm Beach|FL|33401 = 5 Ivy St West Palm Beach FL 33401
5 Park Ave W|Haven|CT|06516 = 5 Park Ave, West Haven, CT 06516
5 Lake View Dr|Reno|NV|89501 = 5 Lakeview Ct, Reno, NV 89501
5 Hill St|Reno|NV|89501 = 5 Hills St, Reno, NV 89501
1 Mercy Plaza|Detroit|MI|48235 = 2 Mercy Plaza, Detroit, MI 48235
1 Mercy Plaza|Detroit|MI|48235 = Mercy Plaza, Detroit, MI 48235
88 Elm St|Austin|TX|78701 = P.O. Box 88, Austin, TX 78701
88 Box St|Austin|TX|78701 = PO Box 88, Austin, TX 78701
`

func readPairs(t *testing.T, text string) [][2]string {
	t.Helper()
	var all [][2]string
	for l := range strings.Lines(strings.TrimSpace(text)) {
		listed, row, ok := strings.Cut(strings.TrimSpace(l), " = ")
		if !ok {
			t.Fatalf("no pair: %q", l)
		}
		all = append(all, [2]string{listed, row})
	}
	return all
}

// storeOf returns a store that has one line of a list.
func storeOf(t testing.TB, s string) *places.Store {
	t.Helper()
	f := strings.Split(s, "|")
	if len(f) != 4 {
		t.Fatalf("no line of a list: %q", s)
	}
	lat, lng := spot(f[2])
	return store(t, fmt.Sprintf("%s%q,%s,%s,%s,%v,%v\n", header, f[0], f[1], f[2], f[3], lat+0.0001, lng))
}

// spot returns the middle of a state, or of Michigan for a text that is no state.
func spot(code string) (lat, lng float64) {
	state, ok := usps.StateOf(code)
	if !ok || !state.HasArea() {
		state, _ = usps.StateOf("MI")
	}
	return (state.South + state.North) / 2, (state.West + state.East) / 2
}

func eventOf(s string) importer.Event {
	if f := strings.Split(s, "|"); len(f) == 5 {
		return parts(f[0], f[1], f[2], f[3], f[4])
	}
	return line(s)
}

// TestPairs holds that no two places match, and that at least 95 of 100 pairs of
// one place do.
func TestPairs(t *testing.T) {
	same, other := readPairs(t, samePlace), readPairs(t, otherPlace)
	if n := len(same) + len(other); n < 150 {
		t.Errorf("only %d pairs", n)
	}
	var missed []string
	for _, p := range same {
		if got, _ := placed(looking(storeOf(t, p[0])), eventOf(p[1])); !got.IsSet() {
			missed = append(missed, fmt.Sprint(p))
		}
	}
	for _, p := range other {
		if got, _ := placed(looking(storeOf(t, p[0])), eventOf(p[1])); got.IsSet() {
			t.Errorf("false match: %q", p)
		}
	}
	t.Logf("%d pairs of one place, %d missed %v; %d of two places", len(same), len(missed), missed, len(other))
	if len(missed)*20 > len(same) {
		t.Errorf("%d of %d missed", len(missed), len(same))
	}
}
