package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
)

// itemQuestions asks the person at the terminal about the items of a morning list.
type itemQuestions struct {
	*session

	in *bufio.Reader
}

// askAll asks about each item for which there are answers, and records the answers. It removes
// what was answered from the list.
func (q *itemQuestions) askAll(ctx context.Context, m *results.Morning) error {
	for _, part := range []*[]results.OpenItem{&m.Urgent, &m.Listed} {
		var open []results.OpenItem
		for i := range *part {
			item := &(*part)[i]
			answered, err := q.ask(ctx, item)
			if err != nil {
				return err
			}
			if !answered {
				open = append(open, *item)
			}
		}
		*part = open
	}
	return nil
}

// ask asks about an item until its answer is taken, or nobody answers.
func (q *itemQuestions) ask(ctx context.Context, item *results.OpenItem) (answered bool, err error) {
	fit := slices.DeleteFunc(item.Outcome.Verdicts(), func(v importer.Verdict) bool { return v == importer.RiderIsRight })
	if len(fit) == 0 {
		return false, nil
	}
	var words []string
	for _, v := range fit {
		if v == importer.There {
			words = append(words, "its GUID")
		}
		words = append(words, v.String())
	}
	q.line("")
	for {
		q.printItem(item)
		q.printf("      %s, or Enter for later: ", strings.Join(words, " / "))
		text, err := q.read()
		if err != nil || text == "" || strings.EqualFold(text, "later") {
			return false, err
		}
		verdict, guid, ok := importer.ParseVerdict(text)
		if !ok {
			q.line("      that is none of these answers: nothing is recorded")
			continue
		}
		if verdict == importer.NotThere {
			q.printf("      it will be sent again; if it is there after all, two cars come. sure? (yes/no): ")
			if sure, err := q.read(); err != nil || !strings.EqualFold(sure, "yes") {
				return false, err
			}
		}
		note, err := q.AnswerOpen(ctx, item, verdict, guid)
		if err != nil || note == "" {
			return err == nil, err
		}
		q.line("      " + results.Inert(note))
		return false, nil
	}
}

// read returns a line that was typed. The end of the input counts as an empty one.
func (q *itemQuestions) read() (string, error) {
	line, err := q.in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", usage("", "the answer can't be read from the terminal")
	}
	if err != nil && line == "" {
		_, _ = fmt.Fprintln(q.Out)
	}
	return strings.TrimSpace(line), nil
}
