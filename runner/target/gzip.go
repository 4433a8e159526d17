package target

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// encoding returns the value of a request's Accept-Encoding header.
func encoding(gzip bool) string {
	if gzip {
		return "gzip"
	}
	return "identity"
}

// decompressed undoes a gzip encoding as the bytes arrive. Nothing is read from
// the body here, so that a silent stream has a head.
func decompressed(res *http.Response) (io.Reader, error) {
	if !strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") {
		return res.Body, nil
	}
	return &lazyGzip{src: res.Body}, nil
}

type lazyGzip struct {
	src io.Reader    // compressed
	z   *gzip.Reader // nil before the first read: making it blocks until the server sends
}

func (l *lazyGzip) Read(p []byte) (int, error) {
	if l.z == nil {
		z, err := gzip.NewReader(l.src)
		if err != nil {
			return 0, err
		}
		l.z = z
	}
	return l.z.Read(p)
}
