// Package ahead lets a goroutine prepare batches of rows while another one uses those before.
package ahead

import (
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
)

// batches is how many batches there are: one is being filled, one used, and the others wait.
const batches = 4

// Batches has fill work in a goroutine of its own, and yields what it fills, in order. A batch is valid until the
// next one: its memory is filled again. After the batches it yields fill's error, or panics with a *Panic if fill
// panicked. The goroutine has ended when the loop over the batches ends.
//
// fill calls next with each batch that is full, and for the first one with nil. It gets a batch to fill, new or as the
// loop leaves it; nil if the loop has ended, and fill must return.
func Batches[B any](fill func(next func(*B) *B) error) iter.Seq2[*B, error] {
	return func(yield func(*B, error) bool) {
		full, free, stop := make(chan *B, batches), make(chan *B, batches), make(chan struct{})
		for range batches {
			free <- new(B)
		}
		next := func(b *B) *B {
			if b != nil {
				full <- b // there is room for all batches
			}
			select {
			case b = <-free:
				return b
			case <-stop:
				return nil
			}
		}

		err := errors.New("the reading of the file ended early") // unless fill returns
		var panicked *Panic
		go func() {
			defer close(full)
			defer func() {
				switch v := recover().(type) {
				case nil:
				case *Panic: // of batches that fill uses
					panicked = v
				default:
					panicked = &Panic{v, debug.Stack()}
				}
			}()
			err = fill(next)
		}()
		defer func() {
			close(stop)
			for range full { // until the goroutine has ended
			}
		}()
		for b := range full {
			if !yield(b, nil) {
				return
			}
			free <- b
		}
		switch {
		case panicked != nil:
			panic(panicked)
		case err != nil:
			yield(nil, err)
		}
	}
}

// A Panic is a panic in the goroutine that fills, or in one that fills for it, with where it happened.
type Panic struct {
	Value any
	Stack []byte
}

// String returns the value as it is printed.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }
