package importer

import "log/slog"

// A Secret is a token or an API key. It is printed, logged and encoded as ***.
type Secret struct{ text string }

// NewSecret returns text as a Secret.
func NewSecret(text string) Secret { return Secret{text} }

// Reveal returns the secret text, for sending it to the service.
func (s Secret) Reveal() string { return s.text }

// Empty reports whether there is no secret.
func (s Secret) Empty() bool { return s.text == "" }

// String returns ***. It implements fmt.Stringer.
func (Secret) String() string { return "***" }

// GoString returns ***, for %#v. It implements fmt.GoStringer.
func (Secret) GoString() string { return "***" }

// MarshalText returns ***. It implements encoding.TextMarshaler.
func (Secret) MarshalText() ([]byte, error) { return []byte("***"), nil }

// LogValue returns ***. It implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue("***") }
