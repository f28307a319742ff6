package app

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/natefinch/atomic"
)

// A DraftFile is the file in which a draft is kept while a person answers its questions. A nil
// DraftFile keeps nothing.
type DraftFile struct{ Path string }

// Open writes the proposal to its new file, and returns its text. If the file is there already, it is
// an *Error, unless goOn is set and the file is the office's own with open questions, or has a mapping for the same files: begun
// then reports that the text is that one's.
func (f *DraftFile) Open(p *Proposal, goOn bool) (text string, begun bool, err error) {
	if f == nil {
		return p.Text, false, nil
	}
	out, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		was, _ := os.ReadFile(f.Path) // what can't be read is no draft
		if text := strings.ReplaceAll(string(was), "\r\n", "\n"); goOn && (p.Unanswered && f.Path == p.Own || isDraftOf(text, p.Text)) {
			return text, true, nil
		}
		return "", false, Usage("name another file, or remove it", "%s is there already", f.Path)
	}
	if err != nil {
		return "", false, Usage("name a file that is not there yet, in a folder that may be written", "%s can't be written", f.Path)
	}
	_, err = out.WriteString(p.Text)
	return p.Text, false, errors.Join(err, out.Close())
}

// isDraftOf reports whether a text is a mapping for the same files as a proposal.
func isDraftOf(text, proposed string) bool {
	return looksLikeMapping([]byte(text)) && lineOf(text, "files") == lineOf(proposed, "files")
}

// Write writes a text in place of the one that the file has. The file has one of both at any time.
func (f *DraftFile) Write(text string) error {
	if f == nil {
		return nil
	}
	if err := atomic.WriteFile(f.Path, strings.NewReader(text)); err != nil {
		return Usage("see that its folder may be written, and do the same again", "%s can't be written", f.Path)
	}
	return nil
}
