package serve

import (
	"cmp"
	"net/http"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A morningScreen lists what is open, and takes answers.
type morningScreen struct{ *page }

type morningView struct {
	app.OpenList

	Problem *problem
	Parts   []morningPart
	// Back are the items that were answered here: a newer answer takes the answer back.
	Back  []morningItem
	Taken bool
}

// itemsShown is how many items of the day's list are shown at first: after a night that sent nothing it is long.
const itemsShown = 100

// A morningPart is a part of the list. Of counts its items, of which the first are shown.
type morningPart struct {
	What  string
	Of    int
	Items []morningItem
}

// A morningItem is an item with the answers that fit it.
type morningItem struct {
	*results.OpenItem

	ID, Saw string
	// Given is the answer that was given, and By who gave it.
	Given, By string
	Answers   []answerButton
	// All reports that the whole list is shown.
	All bool
	// GUID reports that one of the answers may have the trip's GUID.
	GUID bool
}

// An answerButton is an answer, and what it does.
type answerButton struct{ Word, Does string }

func itemOf(i *results.OpenItem) morningItem {
	item := morningItem{OpenItem: i, ID: app.OpenID(i), Saw: app.SawOf(i)}
	for _, v := range i.Outcome.Verdicts() {
		if v == importer.RiderIsRight {
			continue // it is about a cell of the schedule
		}
		rule, _ := v.RuleOf(&i.Outcome)
		item.Answers = append(item.Answers, answerButton{v.String(), rule.Does})
		item.GUID = item.GUID || v == importer.There || v == importer.BookedByHand || v == importer.DoneByHand && rule.Then == importer.BookedEarlier
	}
	return item
}

func (s morningScreen) get(w http.ResponseWriter, r *http.Request) {
	m, err := s.jobs.Open(r.Context())
	v := morningView{OpenList: m, Problem: s.problemOf(err), Taken: r.FormValue("taken") != ""}
	for i := range m.Answered {
		x := &m.Answered[i]
		item := itemOf(&x.OpenItem)
		item.Given, item.By = x.Verdict.String(), x.By
		if x.IsLeft() {
			item.Answers = append(item.Answers, answerButton{importer.Book.String(), "the answer `leave it` is withdrawn"})
		}
		v.Back = append(v.Back, item)
	}
	if m.Morning != nil {
		for _, part := range []struct {
			what  string
			items []results.OpenItem
		}{{importer.ActNow.String(), m.Urgent}, {importer.Listed.String(), m.Listed}} {
			p := morningPart{What: part.what, Of: len(part.items)}
			all := r.FormValue("all") != ""
			if !all && part.what == importer.Listed.String() {
				part.items = part.items[:min(p.Of, itemsShown)]
			}
			for i := range part.items {
				item := itemOf(&part.items[i])
				item.All = all
				p.Items = append(p.Items, item)
			}
			v.Parts = append(v.Parts, p)
		}
	}
	s.show(w, http.StatusOK, "morning", v)
}

// answer takes an answer.
func (s morningScreen) answer(r *http.Request) (string, error) {
	if byEnter(r) {
		return "/morning", nil
	}
	verdict, guid, ok := importer.ParseVerdict(r.PostFormValue("answer") + " " + r.PostFormValue("guid"))
	switch {
	case !ok:
		return "/morning", app.Usage("choose one of the answers, and copy the whole GUID from the service, or take the GUID out where the answer has none",
			"this answer can't be read; nothing was recorded")
	case verdict == importer.NotThere && r.PostFormValue("sure") != "yes":
		return "/morning", &sureView{cmp.Or(r.PostFormValue("trip"), "it"), r.PostFormValue("item"), r.PostFormValue("saw"), verdict.String()}
	}
	note, err := s.jobs.Answer(r.Context(), r.PostFormValue("item"), r.PostFormValue("saw"), verdict, guid, s.gate.person())
	if err == nil && note != "" {
		err = app.Usage("look at it again", "%s", note)
	}
	if err != nil {
		return "/morning", err
	}
	if r.FormValue("all") != "" {
		return "/morning?taken=1&all=1", nil
	}
	return "/morning?taken=1", nil
}
