package helix

import (
	"errors"
	"mime"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// headers checks the head of a stream. Answers that don't claim to be one, 204
// and errors, are left alone, and so is a capture without a head.
func (m *machine) headers(h judge.Head) {
	if h.Status < 200 || h.Status > 299 || h.Status == 204 || h.Header == nil {
		return
	}
	m.count[wireContentType]++
	if h.Status != 200 {
		m.add(wireContentType, place{}, "a stream is answered with another status", "200", strconv.Itoa(h.Status))
	} else if got := strings.Join(h.Header["content-type"], ", "); !isEventStream(got) {
		m.add(wireContentType, place{}, "a stream is answered with another content type", "text/event-stream", show(got))
	}
	m.count[wireCacheControl]++
	if got := strings.Join(h.Header["cache-control"], ", "); !forbidsCaching(got) {
		m.add(wireCacheControl, place{}, "caches may keep the stream", "Cache-Control: no-cache or no-store", show(got))
	}
}

func isEventStream(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return false
	}
	return media == "text/event-stream"
}

func forbidsCaching(cacheControl string) bool {
	for directive := range strings.SplitSeq(strings.ToLower(cacheControl), ",") {
		name, _, _ := strings.Cut(directive, "=")
		switch strings.TrimSpace(name) {
		case "no-cache", "no-store":
			return true
		}
	}
	return false
}
