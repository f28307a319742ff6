package main

import "testing"

func TestWrap(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"short", "short"},
		{"one two three four", "one two\n    three\n    four"},
		{"  one two three", "  one two\n      three"},
		{"averyverylongword", "averyverylongword"},
		{"first\nsecond line here", "first\nsecond\n    line\n    here"},
		{"é é é é é é é é", "é é é é é\n    é é é"},
	}

	for _, tt := range tests {
		if got := wrap(tt.text, 10); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.text, got, tt.want)
		}
	}
}
