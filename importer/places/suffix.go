package places

// isSuffix reports whether the word is a street suffix.
func isSuffix(w string) bool { return suffixOf(w) != "" }

// suffixOf gives the short form of a street suffix in any of its usual
// spellings, empty for any other word. Singular and plural are two suffixes.
// Spellings that stand for two suffixes ("tr", "pk") are left out.
func suffixOf(w string) string {
	switch w {
	case "aly", "alley", "ally":
		return "aly"
	case "ave", "avenue", "av", "aven", "avn":
		return "ave"
	case "bch", "beach":
		return "bch"
	case "bnd", "bend":
		return "bnd"
	case "blf", "bluff":
		return "blf"
	case "blvd", "boulevard", "boul", "blv":
		return "blvd"
	case "br", "branch":
		return "br"
	case "brg", "bridge":
		return "brg"
	case "brk", "brook":
		return "brk"
	case "byp", "bypass":
		return "byp"
	case "cswy", "causeway":
		return "cswy"
	case "ctr", "center", "centre", "cntr", "cent":
		return "ctr"
	case "cir", "circle", "circ", "crcl":
		return "cir"
	case "cmn", "common":
		return "cmn"
	case "cmns", "commons":
		return "cmns"
	case "cor", "corner":
		return "cor"
	case "ct", "court", "crt":
		return "ct"
	case "cts", "courts":
		return "cts"
	case "cv", "cove":
		return "cv"
	case "crk", "creek":
		return "crk"
	case "cres", "crescent":
		return "cres"
	case "xing", "crossing", "crssng":
		return "xing"
	case "dr", "drive", "drv", "driv":
		return "dr"
	case "est", "estate":
		return "est"
	case "ests", "estates":
		return "ests"
	case "expy", "expressway", "expwy", "expw":
		return "expy"
	case "ext", "extension":
		return "ext"
	case "fls", "falls":
		return "fls"
	case "fld", "field":
		return "fld"
	case "flds", "fields":
		return "flds"
	case "frst", "forest":
		return "frst"
	case "fwy", "freeway", "frwy":
		return "fwy"
	case "gdn", "garden":
		return "gdn"
	case "gdns", "gardens":
		return "gdns"
	case "gtwy", "gateway":
		return "gtwy"
	case "gln", "glen":
		return "gln"
	case "grn", "green":
		return "grn"
	case "grv", "grove":
		return "grv"
	case "hbr", "harbor", "harbour":
		return "hbr"
	case "hts", "heights":
		return "hts"
	case "hwy", "highway", "hiway", "hway":
		return "hwy"
	case "hl", "hill":
		return "hl"
	case "hls", "hills":
		return "hls"
	case "holw", "hollow":
		return "holw"
	case "is", "island":
		return "is"
	case "jct", "junction":
		return "jct"
	case "knl", "knoll":
		return "knl"
	case "knls", "knolls":
		return "knls"
	case "lk", "lake":
		return "lk"
	case "lks", "lakes":
		return "lks"
	case "lndg", "landing":
		return "lndg"
	case "ln", "lane":
		return "ln"
	}
	return suffixOfRest(w)
}

// suffixOfRest is suffixOf for the second half of the alphabet.
func suffixOfRest(w string) string {
	switch w {
	case "loop", "lp":
		return "loop"
	case "mnr", "manor":
		return "mnr"
	case "mdw", "meadow":
		return "mdw"
	case "mdws", "meadows":
		return "mdws"
	case "ml", "mill":
		return "ml"
	case "mls", "mills":
		return "mls"
	case "mtn", "mountain":
		return "mtn"
	case "orch", "orchard":
		return "orch"
	case "oval", "ovl":
		return "oval"
	case "park", "prk":
		return "park"
	case "pkwy", "parkway", "pky", "parkwy", "pkway":
		return "pkwy"
	case "pass":
		return "pass"
	case "path":
		return "path"
	case "pike":
		return "pike"
	case "pl", "place":
		return "pl"
	case "plz", "plaza", "plza":
		return "plz"
	case "pt", "point":
		return "pt"
	case "pts", "points":
		return "pts"
	case "rnch", "ranch":
		return "rnch"
	case "rdg", "ridge":
		return "rdg"
	case "rd", "road":
		return "rd"
	case "rte", "route":
		return "rte"
	case "row":
		return "row"
	case "run":
		return "run"
	case "shr", "shore":
		return "shr"
	case "shrs", "shores":
		return "shrs"
	case "spg", "spring":
		return "spg"
	case "spgs", "springs":
		return "spgs"
	case "sq", "square", "sqr":
		return "sq"
	case "sta", "station":
		return "sta"
	case "st", "street", "str", "strt":
		return "st"
	case "smt", "summit":
		return "smt"
	case "ter", "terrace", "terr":
		return "ter"
	case "trce", "trace":
		return "trce"
	case "trl", "trail":
		return "trl"
	case "tpke", "turnpike", "trnpk":
		return "tpke"
	case "vly", "valley":
		return "vly"
	case "vw", "view":
		return "vw"
	case "vlg", "village":
		return "vlg"
	case "vis", "vista":
		return "vis"
	case "walk":
		return "walk"
	case "way", "wy":
		return "way"
	}
	return ""
}
