package usps

// MostLikely returns the address that is most probably meant by a text with the addresses.
// If the text does not show the end of the street, it is the first whose street ends as
// streets do.
func MostLikely(addresses []Address) (Address, bool) {
	if len(addresses) == 1 {
		return addresses[0], true
	}
	for _, a := range addresses {
		if a.City != "" && endsLikeStreet(flatten(tokenize(a.StreetLine))) {
			return a, true
		}
	}
	return Address{}, false
}

// endsLikeStreet reports whether the last token is one that streets end in: a
// suffix, a direction or a number.
func endsLikeStreet(ts []token) bool {
	last := ts[len(ts)-1].text
	return isSuffix(last) || Direction(last) != "" || hasDigit(last)
}

// IsStreetOnly reports whether the street line is a street and nothing else. After its
// suffix a street may have only directions and numbers, as in Ranch Rd 620 S.
func (a Address) IsStreetOnly() bool {
	const longest, longestWithoutSuffix = 8, 5 // tokens
	ts := flatten(tokenize(a.StreetLine))
	suffix := 0
	for i := 2; i < len(ts); i++ {
		if isSuffix(ts[i].text) {
			suffix = i
		}
	}
	if suffix == 0 {
		return len(ts) <= longestWithoutSuffix
	}
	for _, t := range ts[suffix+1:] {
		if Direction(t.text) == "" && !hasDigit(t.text) {
			return false
		}
	}
	return len(ts) <= longest
}
