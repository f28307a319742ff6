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

// A moment is how far an interview has come.
type moment struct {
	text  string
	later []string // the questions that were left open
}

// ask asks what a text of the draft leaves open, one question after the other, and returns the text
// with the answers. The interview ends when the input ends.
func (iv interview) ask(d propose.Draft, text string) (string, error) {
	now := moment{text: text}
	var before []moment
	for {
		open := slices.DeleteFunc(d.Open(now.text), func(q propose.Question) bool { return slices.Contains(now.later, q.Ask) })
		if len(open) == 0 {
			return now.text, nil
		}
		next, back, err := iv.one(&open[0], len(before)+1, len(before)+len(open), now)
		switch {
		case err != nil: // nobody types any more
			return now.text, nil //nolint:nilerr // what was answered is kept
		case back && len(before) > 0:
			now, before = before[len(before)-1], before[:len(before)-1]
		case !back:
			before, now = append(before, now), next
		}
		if err := iv.keep(now.text); err != nil {
			return now.text, err
		}
	}
}

// one asks a question until its answer is understood. It returns the moment after the answer, or
// reports that the person wants to go back.
func (iv interview) one(q *propose.Question, number, of int, now moment) (next moment, back bool, err error) {
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
	if q.Free != "" {
		ways = append(ways, q.Free)
	}
	iv.printf("   (%s; Enter alone leaves it open; b goes back)\n", strings.Join(ways, ", or "))
	for {
		iv.printf("> ")
		line, err := iv.readLine()
		if err != nil {
			return now, false, err
		}
		switch line {
		case "":
			return moment{now.text, append(slices.Clip(now.later), q.Ask)}, false, nil
		case "b": // B is a column
			return now, true, nil
		}
		text, again := iv.answer(now.text, q, line)
		if again == "" {
			return moment{text, now.later}, false, nil
		}
		iv.printf("%s\n", again)
	}
}
