package steps

import (
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// Sentinel replaces a secret that a client sends and that no answer may show.
const Sentinel = "s3cret-0f-the-client"

// Secrets returns request headers, by name, that contain the [Sentinel].
func Secrets() map[string]string {
	return map[string]string{"Cookie": "session=" + Sentinel, "X-Api-Key": Sentinel}
}

// RepeatsSecret reports whether the body or the headers of a response contain the [Sentinel].
func RepeatsSecret(v record.Response) bool {
	for _, h := range v.Header {
		if strings.Contains(h.Value, Sentinel) {
			return true
		}
	}
	for _, f := range v.Frames {
		if strings.Contains(string(f.Raw), Sentinel) {
			return true
		}
	}
	return strings.Contains(string(v.Answer), Sentinel)
}
