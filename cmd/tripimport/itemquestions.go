package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
)

// askItems asks the person at the terminal about each item of a morning list for which there are
// answers, and records the answers. It removes what was answered from the list.
func (s *session) askItems(ctx context.Context, m *results.Morning) error {
	for _, part := range []*[]results.OpenItem{&m.Urgent, &m.Listed} {
		var open []results.OpenItem
		for i := range *part {
			item := &(*part)[i]
			answered, err := s.askItem(ctx, item)
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

// askItem asks about an item until its answer is taken, or nobody answers.
func (s *session) askItem(ctx context.Context, item *results.OpenItem) (answered bool, err error) {
	fit := item.Outcome.VerdictWords()
	if fit == "" {
		return false, nil
	}
	s.line("")
	for {
		s.printItem(item)
		s.printf("      %s; Enter for later: ", fit)
		text, err := s.readAnswer()
		if err != nil || text == "" || strings.EqualFold(text, "later") {
			return false, err
		}
		verdict, guid, ok := importer.ParseVerdict(text)
		if !ok {
			s.line("      that is none of these answers: nothing is recorded")
			continue
		}
		if verdict == importer.NotThere && !s.ask("      it will be sent again; if it is there after all, two cars come. sure?") {
			s.line("      nothing is recorded")
			return false, nil
		}
		note, err := s.AnswerOpen(ctx, item, verdict, guid)
		if err != nil || note == "" {
			return err == nil, err
		}
		s.line("      " + results.Inert(note))
		return false, nil
	}
}

// readAnswer is readLine, where the end of the input counts as an empty line.
func (s *session) readAnswer() (string, error) {
	line, err := s.readLine()
	if errors.Is(err, io.EOF) {
		s.line("")
		return "", nil
	}
	return line, err
}
