package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tripimport/mapping/propose"
)

// An interview asks a person the questions of a draft.
type interview struct {
	in  *bufio.Reader
	out io.Writer
}

// answer asks the questions one by one, and returns the text of the draft with the answers. A
// question without an answer stays in the text. The interview ends when the input ends.
func (iv interview) answer(d propose.Draft) string {
	texts := []string{d.Text} // with the answers so far
	for i := 0; i < len(d.Questions); {
		text, back, err := iv.one(&d.Questions[i], i+1, len(d.Questions), texts[i])
		switch {
		case err != nil:
			return texts[i]
		case back && i > 0:
			i--
			texts = texts[:i+1]
		case !back:
			i++
			texts = append(texts, text)
		}
	}
	return texts[len(d.Questions)]
}

// one asks a question until its answer is understood. It returns the text with the answer, or
// reports that the person wants to go back.
func (iv interview) one(q *propose.Question, number, of int, text string) (answered string, back bool, err error) {
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
	if q.Free != "" {
		ways = append(ways, q.Free)
	}
	iv.printf("   (%s; Enter alone leaves it open; b goes back)\n", strings.Join(ways, ", or "))
	for {
		iv.printf("> ")
		line, err := iv.in.ReadString('\n')
		if err != nil {
			return text, false, err
		}
		line = strings.TrimSpace(line)
		choice, notNumber := strconv.Atoi(line)
		switch {
		case line == "":
			return text, false, nil
		case strings.EqualFold(line, "b"):
			return text, true, nil
		case notNumber == nil && choice >= 1 && choice <= len(q.Choices):
			return q.Choose(text, choice-1), false, nil
		case notNumber != nil && q.Free != "":
			return q.Write(text, line), false, nil
		}
		iv.printf("%q is not one of the answers\n", line)
	}
}

func (iv interview) printf(format string, args ...any) {
	_, _ = fmt.Fprint(iv.out, inertf(format, args...))
}
