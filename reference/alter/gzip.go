package alter

import (
	"compress/gzip"
	"net/http"
	"strings"
)

// Compressed compresses the streams whose requests accept gzip. With flushes it flushes the compressor with them.
func Compressed(flushes bool) Around {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				next.ServeHTTP(w, r)
				return
			}
			changed := &Response{ResponseWriter: w}
			var z *gzip.Writer
			changed.Head = func(status int) int {
				if IsStream(status, w.Header()) {
					z = gzip.NewWriter(w)
					w.Header().Set("Content-Encoding", "gzip")
					changed.Send = func(_ http.ResponseWriter, p []byte) error {
						_, err := z.Write(p)
						return err
					}
				}
				return status
			}
			changed.OnFlush = func(flush func() error) error {
				if flushes && z != nil {
					if err := z.Flush(); err != nil {
						return err
					}
				}
				return flush()
			}
			next.ServeHTTP(changed, r)
			if z != nil {
				_ = z.Close() // a reader that has gone needs no trailer
			}
		})
	}
}
