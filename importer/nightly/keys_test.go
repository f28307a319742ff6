package nightly

import "testing"

// TestKeys names each key of the block that nothing describes.
func TestKeys(t *testing.T) {
	below := map[string][]Key{}
	all := Keys()
	for i := 0; i < len(all); i++ {
		k := all[i]
		if k.Means == "" {
			t.Errorf("the key %q has no tag that says what it means", k.Name)
		}
		below[k.Name], all = k.Below, append(all, k.Below...)
	}
	if len(below["brokers"]) != 6 || below["brokers"][0].Name != "name" || len(below["mail"]) != 5 || below["zone"] != nil || below["seen_by"] != nil {
		t.Errorf("the keys are %v", below)
	}
}
