package restart_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestRestarts: a kill breaks open responses, and the next server has the stored data.
func TestRestarts(t *testing.T) {
	var streams store.Store
	h := restart.New(func(s store.Store) restart.Server {
		streams = s
		return helix.New(helix.Options{Store: s})
	})
	defer h.Close()
	served := httptest.NewServer(h)
	defer served.Close()
	client := served.Client()

	writer, err := streams.OpenWriter(t.Context(), "s")
	if err == nil {
		_, err = streams.Append(t.Context(), "s", writer, []store.Chunk{{JSON: []byte(`{"a":1}`)}})
	}
	if err != nil {
		t.Fatal(err)
	}
	open, err := client.Get(served.URL + "/streams/s/events")
	if err != nil {
		t.Fatal(err)
	}
	defer open.Body.Close()
	killed := streams
	_ = h.Kill()
	if text, err := io.ReadAll(open.Body); err == nil || strings.Contains(string(text), `"end"`) {
		t.Errorf("the response ended with %q, %v", text, err)
	}
	if _, err := killed.Append(t.Context(), "s", writer, nil); err == nil {
		t.Error("a life that is over stored something")
	}
	if answer, err := client.Get(served.URL + "/streams/s"); err == nil {
		answer.Body.Close()
		t.Error("nobody lives, and somebody answered")
	}
	_ = h.Start(t.Context())
	answer, err := client.Get(served.URL + "/streams/s")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK || !strings.Contains(string(text), `"chunkCount":1`) {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
}

// TestContract: a process stores as its disk does.
func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		var streams store.Store
		h := restart.New(func(s store.Store) restart.Server {
			streams = s
			return helix.New(helix.Options{Store: s})
		})
		t.Cleanup(h.Close)
		return streams
	})
}
