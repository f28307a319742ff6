package app

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"tripimport/importer"
)

// The sources of a token follow. A source is read again when the service no longer
// accepts the token, since another program may have renewed it.

// tokenFile reads the token from a file.
type tokenFile struct {
	path string
	fix  string // what to do where there is no such file
}

// Token implements service.TokenSource.
func (f tokenFile) Token(context.Context) (importer.Secret, error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, os.ErrNotExist) {
		return importer.Secret{}, Usage(f.fix, "there is no token")
	}
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return importer.Secret{}, Usage("make it readable for you alone (chmod 600), and get a new token if others may have seen it",
			"the token file %s can be read by other users of this machine", f.path)
	}

	text, err := os.ReadFile(f.path)
	if err != nil {
		return importer.Secret{}, Usage("see that this user may read it", "the token file %s can't be read", f.path)
	}
	return CleanToken(string(text), "the token file "+f.path)
}

// tokenCommand runs a command and takes what it prints.
type tokenCommand struct{ line string }

// Token implements service.TokenSource.
func (c tokenCommand) Token(ctx context.Context) (importer.Secret, error) {
	words := strings.Fields(c.line)
	if len(words) == 0 {
		return importer.Secret{}, Usage("", "the token command is empty")
	}

	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var out bytes.Buffer
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Stdout = &out
	if err := command.Run(); err != nil {
		return importer.Secret{}, Usage("run it by hand to see why", "the token command %s failed", words[0])
	}
	return CleanToken(out.String(), "what the token command printed")
}

// tokenText is a token that was given once: by the environment or on standard
// input.
type tokenText struct{ token importer.Secret }

// Token implements service.TokenSource.
func (t tokenText) Token(context.Context) (importer.Secret, error) { return t.token, nil }

// tokenOnce reads the token from a stream, the first time it is asked for.
type tokenOnce struct {
	in    io.Reader
	once  sync.Once
	token importer.Secret
	err   error
}

// Token implements service.TokenSource.
func (t *tokenOnce) Token(context.Context) (importer.Secret, error) {
	t.once.Do(func() {
		line, err := bufio.NewReader(io.LimitReader(t.in, maxToken+2)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			t.err = Usage("", "the token can't be read from standard input")
			return
		}
		t.token, t.err = CleanToken(line, "standard input")
	})
	return t.token, t.err
}

// maxToken is the length of a token at most, in bytes. What is longer is not a token
// but another file.
const maxToken = 16 << 10

// CleanToken removes white space around a token, and refuses a text that can't be
// one, since it would be sent in a header. From says where the text came from, for
// the message.
func CleanToken(text, from string) (importer.Secret, error) {
	token := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(token, "bearer "); ok {
		token = strings.TrimSpace(rest)
	}

	switch {
	case token == "":
		return importer.Secret{}, Usage("store one with `tripimport token set`", "there is no token in %s", from)
	case len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return importer.Secret{}, Usage("it is one line of letters, digits and signs, without spaces", "%s does not look like a token", from)
	}
	return importer.NewSecret(token), nil
}

// StoreToken keeps a token in a file for this user alone.
func (f Folders) StoreToken(token importer.Secret) error {
	path := f.Token()
	if err := makePrivate(filepath.Dir(path)); err != nil {
		return err
	}

	temp, err := os.CreateTemp(filepath.Dir(path), ".token-*") // made 0600
	if err == nil {
		_, err = temp.WriteString(token.Reveal() + "\n")
		err = errors.Join(err, temp.Sync(), temp.Close())
	}

	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		if temp != nil {
			_ = os.Remove(temp.Name())
		}
		return Usage("see that there is room and that this user may write there", "the token can't be stored in %s", path)
	}
	return nil
}

// TokenOrigin says where the token comes from, and never what it is. The error says
// why there is none.
func (a *App) TokenOrigin() (string, error) {
	source, err := a.tokens(false)
	if err != nil {
		return "", err
	}

	switch source := source.(type) {
	case tokenCommand:
		return "token_command", nil
	case tokenText:
		return "TRIPIMPORT_TOKEN", nil
	case tokenFile:
		return source.path, nil
	}
	return "", nil
}

// ReadToken reads a token from the first line of a stream.
func ReadToken(in io.Reader) (importer.Secret, error) {
	return (&tokenOnce{in: in}).Token(context.Background())
}
