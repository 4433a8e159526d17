package client

import (
	"errors"
	"io"
)

// ErrCut is our own cut.
var ErrCut = errors.New("cut")

// CutAfter reads from src until n bytes came, and fails with ErrCut then. n is above 0.
func CutAfter(src io.Reader, n int64) io.Reader { return &until{src, n} }

type until struct {
	src  io.Reader
	left int64
}

func (u *until) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, ErrCut
	}
	n, err := u.src.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}
