package sqlite

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
)

// A sealer keeps short texts that people wrote, such as the names of files, so
// that only who has the hash key can read them.
type sealer struct{ aead cipher.AEAD }

func newSealer(key []byte) (sealer, error) {
	block, err := aes.NewCipher(derive(key, "seal"))
	if err != nil {
		return sealer{}, fmt.Errorf("make cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return sealer{}, fmt.Errorf("make cipher: %w", err)
	}
	return sealer{aead}, nil
}

// seal gives nil for an empty text.
func (s sealer) seal(text string) []byte {
	if text == "" {
		return nil
	}
	return s.aead.Seal(nil, nil, []byte(text), nil)
}

func (s sealer) open(sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	text, err := s.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return "", fmt.Errorf("open sealed text: %w", err)
	}
	return string(text), nil
}

// newIdentity makes a ledger's name: 100 random bits, easy to read aloud.
func newIdentity() string { return rand.Text()[:20] }
