package usps

var (
	suffixes   = spellings("suffixes.csv")
	directions = spellings("directions.csv")
	highways   = spellings("highways.csv")
)

// Suffix returns the short form of a street suffix: "ave" for "ave", "avenue" or
// "av". It returns "" for any other word. The word must be in lower case and
// without dots. Singular and plural are two suffixes.
func Suffix(word string) string { return suffixes()[word] }

// Direction returns the short form of a compass direction: "ne" for "ne" or
// "northeast". It returns "" for any other word. The word must be in lower case
// and without dots.
func Direction(word string) string { return directions()[word] }

// Highway returns one name for each kind of numbered road: "countyroad" for
// "county road", "co rd" or "cr". It returns "" for any other words. The words
// must be in lower case, without dots, with one space between them.
//
// The kinds are distinct roads: State Road 7 and County Road 7 are not the same.
func Highway(words string) string { return highways()[words] }
