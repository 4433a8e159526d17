package request

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Error is the reason for which a request is refused, and the status of the answer.
type Error struct {
	Status  int
	Message string // never anything that came in a header
}

func (e *Error) Error() string { return e.Message }

// startedSize is the memory that a body gets before its first byte: a Content-Length alone costs nothing.
const startedSize = 64 << 10

// Body reads a body of at most limit bytes, which must come within a time. Errors
// are *http.MaxBytesError, *Error with 408, or of the connection.
func Body(w http.ResponseWriter, r *http.Request, limit int64, within time.Duration) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, &http.MaxBytesError{Limit: limit} // the declared length is too large: refused without reading it
	}
	connection := http.NewResponseController(w)
	// Where deadlines aren't supported, the body ends with the connection.
	_ = connection.SetReadDeadline(time.Now().Add(within))
	var read bytes.Buffer
	read.Grow(int(min(max(r.ContentLength, 0), startedSize)) + bytes.MinRead)
	all := http.MaxBytesReader(w, r.Body, limit)
	_, err := io.CopyN(&read, all, startedSize)
	if err == nil { // the declared length was right
		read.Grow(int(max(r.ContentLength-startedSize, 0)) + bytes.MinRead)
		_, err = read.ReadFrom(all)
	} else if err == io.EOF {
		err = nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, &Error{http.StatusRequestTimeout, "the body did not come within " + within.String()}
	}
	_ = connection.SetReadDeadline(time.Time{})
	if err != nil {
		return nil, err
	}
	return read.Bytes(), nil
}
