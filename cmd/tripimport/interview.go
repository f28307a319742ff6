package main

import (
	"slices"
	"strings"

	"tripimport/mapping/propose"
)

// interview asks a person the questions of a draft.
type interview struct {
	environment

	// answer returns the text with what was typed as the answer, or why it is asked again.
	answer func(text string, q *propose.Question, typed string) (answered, again string)
	// keep is called with the text after each answer.
	keep func(text string) error
}

// ask asks what a text of the draft leaves open, one question after the other, and returns the text
// with the answers. The interview ends when the input ends.
func (iv interview) ask(d propose.Draft, text string) (string, error) {
	var later []string // the questions that were left open
	for number := 1; ; number++ {
		open := slices.DeleteFunc(d.Open(text), func(q propose.Question) bool { return slices.Contains(later, q.Ask) })
		if len(open) == 0 {
			return text, nil
		}
		answered, err := iv.one(&open[0], number, number-1+len(open), text)
		switch {
		case err != nil: // nobody types any more
			return text, nil //nolint:nilerr // what was answered is kept
		case answered == "":
			later = append(later, open[0].Ask)
			continue
		}
		text = answered
		if err := iv.keep(text); err != nil {
			return text, err
		}
	}
}

// one asks a question until its answer is understood. It returns the text with the answer, or "" if it is left open.
func (iv interview) one(q *propose.Question, number, of int, text string) (answered string, err error) {
	iv.printf("\n%d of %d: %s\n", number, of, q.Ask)
	if len(q.Values) > 0 {
		iv.printf("   its values: %s\n", strings.Join(q.Values, ", "))
	}
	for i, c := range q.Choices {
		iv.printf("   %d  %s\n", i+1, c.Text)
	}

	var ways []string
	if len(q.Choices) > 0 {
		ways = append(ways, "a number")
	}
	if q.Column {
		ways = append(ways, "a column's header or letter")
	}
	if q.Together {
		ways = append(ways, "two that tell it together, such as A + B")
	}
	if q.Free != "" {
		ways = append(ways, q.Free)
	}
	iv.printf("   (%s; Enter alone leaves it open)\n", strings.Join(ways, ", or "))
	for {
		iv.printf("> ")
		line, err := iv.readLine()
		if err != nil || line == "" {
			return "", err
		}
		answered, again := iv.answer(text, q, line)
		if again == "" {
			return answered, nil
		}
		iv.printf("%s\n", again)
	}
}
