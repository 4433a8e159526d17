package hostile_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// requestKind is the part of a server that is hostile; the remainder is the reference.
type requestKind string

const (
	onStream   requestKind = "stream"
	onInfo     requestKind = "info"
	onControl  requestKind = "control"
	everywhere requestKind = "every answer"
)

func requestKindOf(r *http.Request) requestKind {
	switch {
	case strings.HasPrefix(r.URL.Path, "/control/"):
		return onControl
	case strings.HasSuffix(r.URL.Path, "/events"):
		return onStream
	}
	return onInfo
}

// eventStream begins a stream's answer.
const eventStream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"

// over makes a hostile response from a function on the bare connection.
func over(do func(c net.Conn)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return // HTTP/2: the suite's other requests don't come here
		}
		defer c.Close()
		do(c)
	}
}

// endlessly sends a head, then a piece again and again until the client hangs up.
func endlessly(head, piece string) http.HandlerFunc {
	return over(func(c net.Conn) {
		if _, err := io.WriteString(c, head); err != nil {
			return
		}
		batch := []byte(strings.Repeat(piece, 1+(32<<10)/len(piece)))
		for {
			if _, err := c.Write(batch); err != nil {
				return
			}
		}
	})
}

// slowly sends a head, then one byte at a time with a pause before each.
func slowly(head, piece string, pause time.Duration) http.HandlerFunc {
	return over(func(c net.Conn) {
		if _, err := io.WriteString(c, head); err != nil {
			return
		}
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for i := 0; ; i++ {
			<-tick.C
			if _, err := c.Write([]byte{piece[i%len(piece)]}); err != nil {
				return
			}
		}
	})
}

// once sends a complete response and closes.
func once(answer string) http.HandlerFunc {
	return over(func(c net.Conn) { _, _ = io.WriteString(c, answer) })
}

// reset breaks the connection in the middle of a frame.
func reset(answer string) http.HandlerFunc {
	return over(func(c net.Conn) {
		_, _ = io.WriteString(c, answer)
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	})
}

// silent never answers.
func silent() http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server doesn't notice that the client hangs up
		<-r.Context().Done()
	}
}

func redirectLoop(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.RequestURI(), http.StatusTemporaryRedirect)
}

func frameOf(data string) string { return "id: 1\ndata: " + data + "\n\n" }

func streamOf(body string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", eventStream, len(body), body)
}

// bomb returns a stream that grows to a size a hundred times its when it is unpacked.
func bomb(t *testing.T, piece string, size int) string {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	batch := []byte(strings.Repeat(piece, (1<<20)/len(piece)))
	for written := 0; written < size; written += len(batch) {
		if _, err := z.Write(batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(body string) string {
	return fmt.Sprintf("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", eventStream, len(body), body)
}

// jsonOf returns an answer that calls itself JSON.
func jsonOf(status int, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d Status\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, len(body), body)
}

// hostile returns the reference with a hostile handler at one path. A spared stream is served normally.
func hostile(reference http.Handler, at requestKind, answer http.HandlerFunc, spared string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at != everywhere && requestKindOf(r) != at || spared != "" && strings.Contains(r.URL.Path+"/", spared+"/") {
			reference.ServeHTTP(w, r)
			return
		}
		answer(w, r)
	})
}
