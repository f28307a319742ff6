package xlsx_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer/sheet/xlsx"
)

// Comments are read from notes, whatever their letters look like, and from threads with their replies.
func TestComments(t *testing.T) {
	d := newTestWorkbook(`<row r="1"><c r="A1"><v>1</v></c></row>`, nil)
	d["xl/worksheets/_rels/sheet1.xml.rels"] = `<Relationships ` + packageNS + `>` +
		`<Relationship Id="rId1" Type="` + relationsNS + `/comments" Target="../comments1.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.microsoft.com/office/2017/10/relationships/threadedComment" Target="../threadedComments/threadedComment1.xml"/>` +
		`<Relationship Id="rId3" Type="` + relationsNS + `/vmlDrawing" Target="../drawings/none.vml"/></Relationships>`
	d["xl/comments1.xml"] = `<x:comments xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:authors><x:author>Dana</x:author></x:authors><x:commentList>` +
		`<x:comment ref="B2" authorId="0"><x:text><x:r><x:rPr><x:b/></x:rPr><x:t>Dana:</x:t></x:r><x:r><x:t xml:space="preserve">` + "\n" + `booked by_x0020_hand</x:t></x:r></x:text></x:comment>` +
		`<x:comment ref="C9" authorId="0"><x:text><x:t>plain &amp; simple</x:t></x:text></x:comment>` +
		`<x:comment ref="?" authorId="0"><x:text><x:t>nowhere</x:t></x:text></x:comment></x:commentList></x:comments>`
	d["xl/threadedComments/threadedComment1.xml"] = `<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments">` +
		`<threadedComment ref="D4" id="{1}"><text>is it there?</text></threadedComment><threadedComment ref="D4" id="{2}" parentId="{1}"><text>leave it</text></threadedComment></ThreadedComments>`
	comments := func() (map[int]map[int]string, error) {
		data := d.zip(t)
		w, err := xlsx.Open(bytes.NewReader(data), int64(len(data)), "trips.xlsx")
		if err != nil {
			t.Fatal(err)
		}
		return w.Comments(w.Sheets()[0])
	}

	got, err := comments()
	want := map[int]map[int]string{2: {2: "Dana:\nbooked by hand\n"}, 9: {3: "plain & simple\n"}, 0: {0: "nowhere\n"}, 4: {4: "is it there?\nleave it\n"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}

	d["xl/comments1.xml"] = d["xl/comments1.xml"][:300]
	if got, err := comments(); err == nil {
		t.Errorf("a part that breaks off has %v", got)
	}
	delete(d, "xl/worksheets/_rels/sheet1.xml.rels")
	if got, err := comments(); len(got) != 0 || err != nil {
		t.Error("a sheet without comments has", got, err)
	}
}
