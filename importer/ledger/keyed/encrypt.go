package keyed

import "fmt"

// Encrypt encrypts a short text that a person wrote, such as a file's name. It returns
// nil for an empty text.
func (h *Hashes) Encrypt(text string) []byte {
	if text == "" {
		return nil
	}
	return h.aead.Seal(nil, nil, []byte(text), nil)
}

// Decrypt is the inverse of Encrypt.
func (h *Hashes) Decrypt(encrypted []byte) (string, error) {
	if len(encrypted) == 0 {
		return "", nil
	}
	text, err := h.aead.Open(nil, nil, encrypted, nil)
	if err != nil {
		return "", fmt.Errorf("decrypt a text: %w", err)
	}
	return string(text), nil
}
