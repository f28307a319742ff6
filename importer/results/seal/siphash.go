package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// A sipKey is the key of SipHash-2-4, a keyed hash for short texts (Aumasson
// and Bernstein, 2012). A row has dozens of cells, and HMAC-SHA256 would take
// longer over them than writing them does.
type sipKey struct{ k0, k1 uint64 }

// deriveKey makes the key of one run's results: rows of another run, or of
// another ledger, don't fit it.
func deriveKey(secret []byte, run string) sipKey {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("tripimport results 1\x00" + run))
	sum := mac.Sum(nil)
	return sipKey{binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:])}
}

// sum gives the hash of data.
func (k sipKey) sum(data []byte) uint64 {
	s := sipState{
		k.k0 ^ 0x736f6d6570736575, k.k1 ^ 0x646f72616e646f6d,
		k.k0 ^ 0x6c7967656e657261, k.k1 ^ 0x7465646279746573,
	}
	last := uint64(len(data)) << 56
	for len(data) >= 8 {
		s.block(binary.LittleEndian.Uint64(data))
		data = data[8:]
	}
	for i, b := range data {
		last |= uint64(b) << (8 * i)
	}
	s.block(last)
	s.v2 ^= 0xff
	for range 4 {
		s.round()
	}
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3
}

type sipState struct{ v0, v1, v2, v3 uint64 }

func (s *sipState) block(m uint64) {
	s.v3 ^= m
	s.round()
	s.round()
	s.v0 ^= m
}

func (s *sipState) round() {
	s.v0 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 13) ^ s.v0
	s.v0 = bits.RotateLeft64(s.v0, 32)
	s.v2 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 16) ^ s.v2
	s.v0 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 21) ^ s.v0
	s.v2 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 17) ^ s.v2
	s.v2 = bits.RotateLeft64(s.v2, 32)
}
