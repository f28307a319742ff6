package places

import "tripimport/importer/usps"

// readLine reads an address on one line: what stands before the house number
// is a name, the end is city, state and ZIP, and units may stand anywhere.
func readLine(s string) []address {
	var a address
	parts := unitParts(s, &a.unit)
	parts = dropCountry(parts)
	commas := len(parts) > 1
	parts = a.takeZip(parts)
	if commas || a.zip != "" {
		parts = a.takeState(parts)
	}
	for i, ts := range parts {
		if len(ts) < 2 || houseNumber(ts) == 0 {
			continue
		}
		if i == len(parts)-1 {
			return a.split(ts)
		}
		a.setStreet(ts)
		a.setCity(parts[len(parts)-1])
		return whole(a)
	}
	if len(parts) == 2 { // a street without a number
		a.setStreet(parts[0])
		a.setCity(parts[1])
		return whole(a)
	}
	return nil
}

// split reads a street and a city with nothing between them in every way there
// is: the list has the right one, or none.
func (a address) split(ts []token) []address {
	var all []address
	whole := a
	whole.setStreet(ts)
	if whole.complete() {
		all = append(all, whole)
	}
	for i := houseNumber(ts) + 1; i < len(ts); i++ {
		b := a
		b.setStreet(ts[:i])
		b.setCity(ts[i:])
		if b.complete() {
			all = append(all, b)
		}
	}
	return all
}

// dropCountry takes USA off the end.
func dropCountry(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	switch n := len(last); {
	case last[n-1].s == "usa", last[n-1].s == "us" && n == 1:
		return shorten(parts, 1)
	case n >= 2 && last[n-2].s == "united" && last[n-1].s == "states":
		return shorten(parts, 2)
	}
	return parts
}

// shorten takes n tokens off the end, and the last part where nothing of it is
// left.
func shorten(parts [][]token, n int) [][]token {
	last := len(parts) - 1
	if len(parts[last]) == n {
		return parts[:last]
	}
	out := append([][]token(nil), parts...)
	out[last] = out[last][:len(out[last])-n]
	return out
}

// takeZip takes a ZIP off the end.
func (a *address) takeZip(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	n := len(last)
	if n >= 2 && len(last[n-1].s) == 4 && len(last[n-2].s) == 5 && allDigits(last[n-1].s) && allDigits(last[n-2].s) {
		a.zip = last[n-2].s
		return shorten(parts, 2)
	}
	s := last[n-1].s
	if len(s) < 5 || n == 1 && len(parts) == 1 {
		return parts
	}
	if zip := canonicalZip(s, ""); zip[0] != '?' {
		a.zip = zip
		return shorten(parts, 1)
	}
	return parts
}

// takeState takes a state's code or name off the end, the longest that is one.
func (a *address) takeState(parts [][]token) [][]token {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	for n := min(3, len(last)); n > 0; n-- {
		if n == len(last) && len(parts) == 1 {
			continue
		}
		if state, ok := usps.StateOf(folded(last[len(last)-n:])); ok {
			a.state = state.Code
			return shorten(parts, n)
		}
	}
	return parts
}
