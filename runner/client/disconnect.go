package client

import (
	"errors"
	"io"
)

// ErrDisconnected is the error after a disconnect by DisconnectAfter.
var ErrDisconnected = errors.New("cut")

// DisconnectAfter reads from src until n bytes came, and fails with ErrCut then. n is above 0.
func DisconnectAfter(src io.Reader, n int64) io.Reader { return &until{src, n} }

type until struct {
	src  io.Reader
	left int64
}

func (u *until) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, ErrDisconnected
	}
	n, err := u.src.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}
