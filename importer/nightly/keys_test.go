package nightly

import "testing"

// TestKeys names each key of the block that nothing describes.
func TestKeys(t *testing.T) {
	depths := map[string]int{}
	for _, k := range Keys() {
		depths[k.Name] = k.Depth
		if k.Name == "" || k.Means == "" {
			t.Errorf("the key %q has no tag that says what it means", k.Name)
		}
	}
	if depths["zone"] != 1 || depths["inbox"] != 2 {
		t.Errorf("the keys are at other places: %v", depths)
	}
}
