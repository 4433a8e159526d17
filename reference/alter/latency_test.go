package alter

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestLine: writes to a line are delayed, in order, and complete.
func TestLine(t *testing.T) {
	const delay = 30 * time.Millisecond
	w := httptest.NewRecorder()
	began := time.Now()
	l := newLine(w, httptest.NewRequest("GET", "/", nil), delay)
	l.WriteHeader(http.StatusTeapot)
	for i := range 3 * underWay {
		if _, err := fmt.Fprintf(l, "%d ", i); err != nil {
			t.Fatal(err)
		}
	}
	l.drain()
	if took := time.Since(began); took < delay {
		t.Errorf("it took %v, expected at least %v", took, delay)
	}
	if text := w.Body.String(); w.Code != http.StatusTeapot || !strings.HasPrefix(text, "0 1 2 ") ||
		!strings.HasSuffix(text, fmt.Sprint(3*underWay-1, " ")) {
		t.Errorf("%d %q", w.Code, text)
	}
}
