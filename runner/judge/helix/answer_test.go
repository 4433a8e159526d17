package helix

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
)

func TestJudgeAnswer(t *testing.T) {
	set := loadSchemas(t)
	for _, c := range []struct {
		name   string
		route  judge.Route
		status int
		body   string
		want   string
	}{
		{"error with text", judge.ReadRoute, 404, "not found", "http.error-body"},
		{"error without a body", judge.InfoRoute, 500, "", "http.error-body"},
		{"error object", judge.ReadRoute, 400, `{"error":{}}`, "http.error-body"},
		{"error and garbage", judge.ReadRoute, 400, `{"error":"x"}x`, "http.error-body"},
		{"unknown code", judge.ReadRoute, 400, `{"error":"x","code":"state_odd"}`, "errors.known-code"},
		{"code without category", judge.ReadRoute, 400, `{"error":"x","code":"oops"}`, "errors.code-prefix errors.known-code"},
		{"code of another status", judge.ReadRoute, 400, `{"error":"x","code":"state_session_not_found"}`, "errors.code-status"},
		{"info without status", judge.InfoRoute, 200, `{"latestSequence":1,"chunkCount":1}`, "status.info-members"},
		{"info with text count", judge.InfoRoute, 200, `{"status":"active","latestSequence":1,"chunkCount":"1"}`, "status.info-members"},
		{"info that says completed", judge.InfoRoute, 200, `{"status":"completed","latestSequence":1,"chunkCount":1}`, "status.info-word"},
		{"info that is no JSON", judge.InfoRoute, 200, `active`, "status.info-members"},

		{"snapshot without state", judge.SnapshotRoute, 200, `{"messages":[],"streamSequence":0,"timestamp":1733310000000,"status":"active"}`, "snapshot.document"},
		{"snapshot that is no JSON", judge.SnapshotRoute, 200, `{}{}`, "snapshot.document"},

		{"good snapshot", judge.SnapshotRoute, 200, `{"state":null,"messages":[],"streamSequence":0,"timestamp":1733310000000,"status":"active","more":1}`, ""},
		{"no snapshot", judge.SnapshotRoute, 204, ``, ""},
		{"good error", judge.ReadRoute, 404, `{"error":"x","code":"state_session_not_found","more":1}`, ""},
		{"code of any status", judge.ReadRoute, 418, `{"error":"x","code":"transport_error"}`, ""},
		{"good info", judge.InfoRoute, 200, `{"status":"ended","latestSequence":1,"chunkCount":1,"more":1}`, ""},
		{"stream", judge.ReadRoute, 200, ``, ""},
		{"nothing left", judge.ReadRoute, 204, ``, ""},
		{"control", judge.ControlRoute, 500, `oops`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, occasions := JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Route: c.route, Status: c.status, Body: []byte(c.body)})
			if diff := cmp.Diff(strings.Join(requirementsOf(got), " "), c.want); diff != "" {
				t.Errorf("(-got +want)\n%s%+v", diff, got)
			}
			for _, f := range got {
				if occasions[f.Requirement] == 0 {
					t.Errorf("%s was found broken without an occasion", f.Requirement)
				}
			}
		})
	}
}

func TestAnswerOccasions(t *testing.T) {
	set := loadSchemas(t)
	_, got := JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Route: judge.ReadRoute, Status: 404, Body: []byte(`{"error":"x"}`)})
	if diff := cmp.Diff(map[string]int{"helix.http.error-body": 1}, got); diff != "" {
		t.Error(diff)
	}
	_, got = JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Route: judge.InfoRoute, Status: 200, Body: []byte(`{"status":"active","latestSequence":0,"chunkCount":0}`)})
	if diff := cmp.Diff(map[string]int{"helix.status.info-members": 1, "helix.status.info-word": 1}, got); diff != "" {
		t.Error(diff)
	}
}
