package target

import (
	"io"
	"net/http"
	"testing"
)

func TestSnapshot(t *testing.T) {
	for _, c := range []struct{ route, partial, want string }{
		{"", "", "/streams/a%2Fb/snapshot"},
		{"", "true", "/streams/a%2Fb/snapshot?includePartialContent=true"},
		{"", "a&b", "/streams/a%2Fb/snapshot?includePartialContent=a%26b"},
		{"/snapshots?of={stream}", "", "/snapshots?of=a%2Fb"},
		{"/snapshots?of={stream}", "false", "/snapshots?of=a%2Fb&includePartialContent=false"},
	} {
		var got string
		var token []string
		s := bounded(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				got, token = r.URL.RequestURI(), r.Header["X-Streamcert-Control"]
			}
			_, _ = io.WriteString(w, `{}`)
		}, Timing{}, Limits{})
		s.target.controlToken = "control-token"
		if c.route != "" {
			s.target.templates = map[string]string{"snapshot": c.route}
		}
		if _, err := s.Call("POST", "/streams/x/end", nil, false); err != nil {
			t.Fatal(err)
		}
		e, err := s.Snapshot(SnapshotRequest{Route: Route{Name: "snapshot", Template: "/streams/{stream}/snapshot"}, Stream: "a/b", Partial: c.partial, Heading: "a page is opened"})
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want || len(token) > 0 {
			t.Errorf("asked for %s with the control token %q, want %s without", got, token, c.want)
		}
		if v := e.Now(); v.Status != http.StatusOK || string(v.Answer) != `{}` || e.Heading != "a page is opened" {
			t.Errorf("recorded %d %s under %q", v.Status, v.Answer, e.Heading)
		}
		if all := s.Snapshots(); len(all) != 1 || all[0] != e { // and not the control call
			t.Errorf("%d snapshots are in the record, want the one", len(all))
		}
	}
}
