package target

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
)

// HungUp reports whether an error reports that the other side closed the connection.
func HungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		err != nil && strings.Contains(err.Error(), "server closed idle connection") || idledOut(err) // net/http has no names for these
}

// Unreached reports whether an error reports that no connection came about.
func Unreached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// Distrusted reports whether an error reports that the server's certificate isn't trusted.
func Distrusted(err error) bool {
	var distrusted *tls.CertificateVerificationError
	return errors.As(err, &distrusted)
}

// Remedy returns a clause with advice for an error of connecting, "" for another error.
func Remedy(err error) string {
	switch {
	case Distrusted(err):
		return "; name who signs it in tls.ca, or trust any by tls.insecure: true"
	case Unreached(err):
		return "; is the server running, and target.url right?"
	}
	return ""
}

// idledOut reports whether an error reports that our side closed the connection because it had been idle.
func idledOut(err error) bool {
	return err != nil && strings.Contains(err.Error(), "idle connection timeout")
}
