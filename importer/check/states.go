package check

import (
	"strings"

	"tripimport/importer"
)

// stateArea gives the box of a state, the District of Columbia or an inhabited
// territory by its two-letter code, letters' case disregarded. It reports false
// for anything else.
//
// The boxes were drawn by hand from an atlas, to a tenth of a degree and
// outward, and are widened by another tenth here (about 7 miles): enough for a
// facility over the state line that keeps its old postal address, and too
// little for the next city. Alaska ends at the date line.
func stateArea(code string) (importer.Area, bool) {
	const wider = 0.1
	south, west, north, east := box(code)
	if south == north {
		return importer.Area{}, false
	}
	return importer.Area{South: south - wider, West: west - wider, North: north + wider, East: east + wider}, true
}

func box(code string) (south, west, north, east float64) {
	if len(code) != 2 {
		return 0, 0, 0, 0
	}
	switch [2]byte{code[0] &^ 0x20, code[1] &^ 0x20} {
	case [2]byte{'A', 'L'}:
		return 30.1, -88.5, 35.1, -84.8
	case [2]byte{'A', 'K'}:
		return 51.1, -180, 71.5, -129.9
	case [2]byte{'A', 'Z'}:
		return 31.3, -114.9, 37.1, -109.0
	case [2]byte{'A', 'R'}:
		return 33.0, -94.7, 36.6, -89.6
	case [2]byte{'C', 'A'}:
		return 32.5, -124.5, 42.1, -114.1
	case [2]byte{'C', 'O'}:
		return 36.9, -109.1, 41.1, -102.0
	case [2]byte{'C', 'T'}:
		return 40.9, -73.8, 42.1, -71.7
	case [2]byte{'D', 'E'}:
		return 38.4, -75.8, 39.9, -75.0
	case [2]byte{'D', 'C'}:
		return 38.7, -77.2, 39.0, -76.9
	case [2]byte{'F', 'L'}:
		return 24.4, -87.7, 31.1, -79.9
	case [2]byte{'G', 'A'}:
		return 30.3, -85.7, 35.1, -80.8
	case [2]byte{'H', 'I'}:
		return 18.8, -160.4, 22.4, -154.7
	case [2]byte{'I', 'D'}:
		return 41.9, -117.3, 49.1, -111.0
	case [2]byte{'I', 'L'}:
		return 36.9, -91.6, 42.6, -87.4
	case [2]byte{'I', 'N'}:
		return 37.7, -88.1, 41.8, -84.7
	case [2]byte{'I', 'A'}:
		return 40.3, -96.7, 43.6, -90.1
	case [2]byte{'K', 'S'}:
		return 36.9, -102.1, 40.1, -94.5
	case [2]byte{'K', 'Y'}:
		return 36.4, -89.6, 39.2, -81.9
	case [2]byte{'L', 'A'}:
		return 28.9, -94.1, 33.1, -88.7
	case [2]byte{'M', 'E'}:
		return 42.9, -71.1, 47.5, -66.9
	case [2]byte{'M', 'D'}:
		return 37.8, -79.5, 39.8, -75.0
	case [2]byte{'M', 'A'}:
		return 41.2, -73.6, 42.9, -69.8
	case [2]byte{'M', 'I'}:
		return 41.6, -90.5, 48.4, -82.1
	case [2]byte{'M', 'N'}:
		return 43.4, -97.3, 49.4, -89.4
	case [2]byte{'M', 'S'}:
		return 30.1, -91.7, 35.1, -88.0
	case [2]byte{'M', 'O'}:
		return 35.9, -95.8, 40.7, -89.0
	case [2]byte{'M', 'T'}:
		return 44.3, -116.1, 49.1, -104.0
	case [2]byte{'N', 'E'}:
		return 39.9, -104.1, 43.1, -95.3
	case [2]byte{'N', 'V'}:
		return 35.0, -120.1, 42.1, -114.0
	case [2]byte{'N', 'H'}:
		return 42.6, -72.6, 45.4, -70.6
	case [2]byte{'N', 'J'}:
		return 38.8, -75.6, 41.4, -73.8
	case [2]byte{'N', 'M'}:
		return 31.3, -109.1, 37.1, -103.0
	case [2]byte{'N', 'Y'}:
		return 40.4, -79.8, 45.1, -71.8
	case [2]byte{'N', 'C'}:
		return 33.7, -84.4, 36.6, -75.4
	case [2]byte{'N', 'D'}:
		return 45.9, -104.1, 49.1, -96.5
	case [2]byte{'O', 'H'}:
		return 38.3, -84.9, 42.4, -80.5
	case [2]byte{'O', 'K'}:
		return 33.6, -103.1, 37.1, -94.4
	case [2]byte{'O', 'R'}:
		return 41.9, -124.7, 46.4, -116.4
	case [2]byte{'P', 'A'}:
		return 39.7, -80.6, 42.4, -74.6
	case [2]byte{'R', 'I'}:
		return 41.1, -71.9, 42.1, -71.1
	case [2]byte{'S', 'C'}:
		return 32.0, -83.4, 35.3, -78.4
	case [2]byte{'S', 'D'}:
		return 42.4, -104.1, 46.0, -96.4
	case [2]byte{'T', 'N'}:
		return 34.9, -90.4, 36.7, -81.6
	case [2]byte{'T', 'X'}:
		return 25.8, -106.7, 36.6, -93.5
	case [2]byte{'U', 'T'}:
		return 36.9, -114.1, 42.1, -109.0
	case [2]byte{'V', 'T'}:
		return 42.7, -73.5, 45.1, -71.4
	case [2]byte{'V', 'A'}:
		return 36.5, -83.7, 39.5, -75.2
	case [2]byte{'W', 'A'}:
		return 45.5, -124.9, 49.1, -116.9
	case [2]byte{'W', 'V'}:
		return 37.1, -82.7, 40.7, -77.7
	case [2]byte{'W', 'I'}:
		return 42.4, -92.9, 47.4, -86.2
	case [2]byte{'W', 'Y'}:
		return 40.9, -111.1, 45.1, -104.0
	case [2]byte{'P', 'R'}:
		return 17.8, -68.0, 18.6, -65.2
	case [2]byte{'V', 'I'}:
		return 17.6, -65.1, 18.5, -64.5
	case [2]byte{'G', 'U'}:
		return 13.2, 144.6, 13.7, 145.0
	case [2]byte{'A', 'S'}:
		return -14.6, -171.2, -11.0, -168.1
	case [2]byte{'M', 'P'}:
		return 14.0, 144.8, 20.6, 146.1
	}
	return 0, 0, 0, 0
}

// zipOwner gives the state of a ZIP by its first three digits, empty where they
// are given to none or to several (the military, Guam and its neighbours).
func zipOwner(zip string) string {
	prefix := int(zip[0]-'0')*100 + int(zip[1]-'0')*10 + int(zip[2]-'0')
	switch {
	case prefix == 5:
		return "NY"
	case 6 <= prefix && prefix <= 7:
		return "PR"
	case prefix == 8:
		return "VI"
	case prefix == 9:
		return "PR"
	case 10 <= prefix && prefix <= 27:
		return "MA"
	case 28 <= prefix && prefix <= 29:
		return "RI"
	case 30 <= prefix && prefix <= 38:
		return "NH"
	case 39 <= prefix && prefix <= 49:
		return "ME"
	case 50 <= prefix && prefix <= 54:
		return "VT"
	case prefix == 55:
		return "MA"
	case 56 <= prefix && prefix <= 59:
		return "VT"
	case 60 <= prefix && prefix <= 69:
		return "CT"
	case 70 <= prefix && prefix <= 89:
		return "NJ"
	case 100 <= prefix && prefix <= 149:
		return "NY"
	case 150 <= prefix && prefix <= 196:
		return "PA"
	case 197 <= prefix && prefix <= 199:
		return "DE"
	case prefix == 200:
		return "DC"
	case prefix == 201:
		return "VA"
	case 202 <= prefix && prefix <= 205:
		return "DC"
	case 206 <= prefix && prefix <= 219:
		return "MD"
	case 220 <= prefix && prefix <= 246:
		return "VA"
	case 247 <= prefix && prefix <= 268:
		return "WV"
	case 270 <= prefix && prefix <= 289:
		return "NC"
	case 290 <= prefix && prefix <= 299:
		return "SC"
	case 300 <= prefix && prefix <= 319:
		return "GA"
	case 320 <= prefix && prefix <= 349:
		return "FL"
	case 350 <= prefix && prefix <= 369:
		return "AL"
	case 370 <= prefix && prefix <= 385:
		return "TN"
	case 386 <= prefix && prefix <= 397:
		return "MS"
	case 398 <= prefix && prefix <= 399:
		return "GA"
	case 400 <= prefix && prefix <= 427:
		return "KY"
	case 430 <= prefix && prefix <= 459:
		return "OH"
	case 460 <= prefix && prefix <= 479:
		return "IN"
	case 480 <= prefix && prefix <= 499:
		return "MI"
	case 500 <= prefix && prefix <= 528:
		return "IA"
	case 530 <= prefix && prefix <= 549:
		return "WI"
	case 550 <= prefix && prefix <= 567:
		return "MN"
	case prefix == 569:
		return "DC"
	case 570 <= prefix && prefix <= 577:
		return "SD"
	case 580 <= prefix && prefix <= 588:
		return "ND"
	case 590 <= prefix && prefix <= 599:
		return "MT"
	case 600 <= prefix && prefix <= 629:
		return "IL"
	case 630 <= prefix && prefix <= 658:
		return "MO"
	case 660 <= prefix && prefix <= 679:
		return "KS"
	case 680 <= prefix && prefix <= 693:
		return "NE"
	case 700 <= prefix && prefix <= 714:
		return "LA"
	case 716 <= prefix && prefix <= 729:
		return "AR"
	case 730 <= prefix && prefix <= 732:
		return "OK"
	case prefix == 733:
		return "TX"
	case 734 <= prefix && prefix <= 749:
		return "OK"
	case 750 <= prefix && prefix <= 799:
		return "TX"
	case 800 <= prefix && prefix <= 816:
		return "CO"
	case 820 <= prefix && prefix <= 831:
		return "WY"
	case 832 <= prefix && prefix <= 838:
		return "ID"
	case 840 <= prefix && prefix <= 847:
		return "UT"
	case 850 <= prefix && prefix <= 865:
		return "AZ"
	case 870 <= prefix && prefix <= 884:
		return "NM"
	case prefix == 885:
		return "TX"
	case 889 <= prefix && prefix <= 898:
		return "NV"
	case 900 <= prefix && prefix <= 961:
		return "CA"
	case 967 <= prefix && prefix <= 968:
		return "HI"
	case 970 <= prefix && prefix <= 979:
		return "OR"
	case 980 <= prefix && prefix <= 994:
		return "WA"
	case 995 <= prefix && prefix <= 999:
		return "AK"
	}
	return ""
}

// tailState gives the state at the end of an address on one line ("…, Detroit,
// MI 48226"), empty where none can be told there.
func tailState(address string) string {
	s := strings.TrimRight(address, " .,")
	if i := strings.LastIndexAny(s, " ,"); i > 0 && isZip(s[i+1:]) {
		s = strings.TrimRight(s[:i], " .,")
	}
	i := strings.LastIndexAny(s, " ,")
	if i < 0 {
		return ""
	}
	if _, known := stateArea(s[i+1:]); !known {
		return ""
	}
	return s[i+1:]
}
