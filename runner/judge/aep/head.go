package aep

import (
	"errors"
	"mime"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// headers checks the head of a stream. Refusals are left alone, and so is a
// capture without a head.
func (m *machine) headers(h judge.Head) {
	if h.Status < 200 || h.Status > 299 || h.Header == nil {
		return
	}
	m.count[wireContentType]++
	if h.Status != 200 {
		m.add(wireContentType, place{}, "a stream is answered with another status", "200", strconv.Itoa(h.Status))
	} else if got := strings.Join(h.Header["content-type"], ", "); !isEventStream(got) {
		m.add(wireContentType, place{}, "a stream is answered with another content type", "text/event-stream", show(got))
	}
	m.count[wireCacheControl]++
	if got := strings.Join(h.Header["cache-control"], ", "); !lists(got, "no-cache", "no-store") {
		m.add(wireCacheControl, place{}, "caches may keep the stream", "Cache-Control: no-cache or no-store", show(got))
	}
	m.count[wireConnection]++
	// HTTP/2 has no such header, so that there is nothing to tell apart.
	if got := strings.Join(h.Header["connection"], ", "); lists(got, "close") {
		m.add(wireConnection, place{}, "the connection isn't kept for the next request", "no Connection header, or keep-alive", show(got))
	}
}

func isEventStream(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return false
	}
	return media == "text/event-stream"
}

// lists reports whether a list of tokens has one of the words.
func lists(value string, words ...string) bool {
	for item := range strings.SplitSeq(strings.ToLower(value), ",") {
		name, _, _ := strings.Cut(item, "=")
		for _, word := range words {
			if strings.TrimSpace(name) == word {
				return true
			}
		}
	}
	return false
}
