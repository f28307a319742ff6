package importer

import "log/slog"

// A Secret is a token or an API key. However it is printed, logged or encoded,
// it shows as ***; only Reveal gives it away.
type Secret struct{ text string }

// NewSecret wraps a secret text.
func NewSecret(text string) Secret { return Secret{text} }

// Reveal gives the secret itself, for the one place that sends it.
func (s Secret) Reveal() string { return s.text }

// Empty reports whether there is no secret.
func (s Secret) Empty() bool { return s.text == "" }

// String implements fmt.Stringer.
func (Secret) String() string { return "***" }

// GoString implements fmt.GoStringer, so that %#v hides it as well.
func (Secret) GoString() string { return "***" }

// MarshalText implements encoding.TextMarshaler.
func (Secret) MarshalText() ([]byte, error) { return []byte("***"), nil }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue("***") }
