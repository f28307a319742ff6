package ahead

import (
	"bytes"
	"errors"
	"iter"
	"runtime"
	"slices"
	"testing"
)

// numbers fills batches of three numbers, n in all, and then does end.
func numbers(n int, end func() error) func(next func(*[]int) *[]int) error {
	return func(next func(*[]int) *[]int) error {
		b := next(nil)
		defer func() { next(b) }()
		for i := range n {
			if *b = append(*b, i); len(*b) == 3 {
				if b = next(b); b == nil {
					return nil
				}
				*b = (*b)[:0]
			}
		}
		return end()
	}
}

func TestBatchesComeInOrder(t *testing.T) {
	damaged := errors.New("damaged")
	for _, n := range []int{0, 1, 3, 1000} {
		var got []int
		var failed error
		for b, err := range Batches(numbers(n, func() error { return damaged })) {
			if err != nil {
				failed = err
				continue
			}
			got = append(got, *b...)
			*b = (*b)[:0]
		}
		for i, was := range got {
			if was != i {
				t.Fatalf("number %d is %d", i, was)
			}
		}
		if len(got) != n || !errors.Is(failed, damaged) {
			t.Errorf("of %d numbers there came %d, %v", n, len(got), failed)
		}
	}
}

// A panic comes with where it happened, after the batches before it, also through batches that are filled from others.
func TestBatchesPanic(t *testing.T) {
	inner := Batches(numbers(7, func() error { panic("lost") }))
	outer := Batches(func(next func(*[]int) *[]int) error {
		b := next(nil)
		for read := range inner {
			*b = slices.Clone(*read)
			*read = (*read)[:0]
			if b = next(b); b == nil {
				return nil
			}
		}
		return nil
	})
	for name, batches := range map[string]iter.Seq2[*[]int, error]{"one": inner, "nested": outer} {
		t.Run(name, func(t *testing.T) {
			got := 0
			defer func() {
				p, ok := recover().(*Panic)
				if !ok || p.Value != "lost" || got != 7 || !bytes.Contains(p.Stack, []byte("TestBatchesPanic.func1")) {
					t.Errorf("panic %v after %d numbers", p, got)
				}
			}()
			for b := range batches {
				got += len(*b)
				*b = (*b)[:0]
			}
		})
	}
}

// A filling that ends without a return is an error, and not the end of what there is.
func TestBatchesEndEarly(t *testing.T) {
	var failed error
	for _, err := range Batches(func(func(*int) *int) error { runtime.Goexit(); return nil }) {
		failed = err
	}
	if failed == nil {
		t.Error("no error")
	}
}

// A loop that is left ends the goroutine, which fills no more than there is room for.
func TestBatchesAreBrokenOff(t *testing.T) {
	filled, ended := 0, false
	for range Batches(func(next func(*int) *int) error {
		defer func() { ended = true }() // no race: Batches waits for it
		for b := next(nil); b != nil; b = next(b) {
			filled++
		}
		return nil
	}) {
		break
	}
	if !ended || filled > batches+1 {
		t.Errorf("ended: %v, %d batches were filled", ended, filled)
	}
}
