package command

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestUnusedConnectionsAreClosed: an unused connection ends, whether it has had an answer or sent half a request.
func TestUnusedConnectionsAreClosed(t *testing.T) {
	s, err := listenIdle("127.0.0.1:0", http.NotFoundHandler(), 20*time.Millisecond, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	if s.http.ReadHeaderTimeout == 0 || idle == 0 {
		t.Error("a connection may stay for ever")
	}
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer := bufio.NewReader(c)
	res, err := http.ReadResponse(answer, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := answer.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the connection is still there: %v", err)
	}
}
