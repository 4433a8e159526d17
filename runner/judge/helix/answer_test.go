package helix

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
)

func TestJudgeAnswer(t *testing.T) {
	set := loadSchemas(t)
	for _, c := range []struct {
		name   string
		route  record.Kind
		status int
		body   string
		want   string
	}{
		{"error with text", record.Read, 404, "not found", "http.error-body"},
		{"error without a body", record.Document, 500, "", "http.error-body"},
		{"error object", record.Read, 400, `{"error":{}}`, "http.error-body"},
		{"error and garbage", record.Read, 400, `{"error":"x"}x`, "http.error-body"},
		{"unknown code", record.Read, 400, `{"error":"x","code":"state_odd"}`, "errors.known-code"},
		{"code without category", record.Read, 400, `{"error":"x","code":"oops"}`, "errors.code-prefix errors.known-code"},
		{"code of another status", record.Read, 400, `{"error":"x","code":"state_session_not_found"}`, "errors.code-status"},
		{"info without status", record.Document, 200, `{"latestSequence":1,"chunkCount":1}`, "status.info-members"},
		{"info with text count", record.Document, 200, `{"status":"active","latestSequence":1,"chunkCount":"1"}`, "status.info-members"},
		{"info that says completed", record.Document, 200, `{"status":"completed","latestSequence":1,"chunkCount":1}`, "status.info-word"},
		{"info that is no JSON", record.Document, 200, `active`, "status.info-members"},

		{"snapshot without state", record.Snapshot, 200, `{"messages":[],"streamSequence":0,"timestamp":1733310000000,"status":"active"}`, "snapshot.document"},
		{"snapshot that is no JSON", record.Snapshot, 200, `{}{}`, "snapshot.document"},

		{"good snapshot", record.Snapshot, 200, `{"state":null,"messages":[],"streamSequence":0,"timestamp":1733310000000,"status":"active","more":1}`, ""},
		{"no snapshot", record.Snapshot, 204, ``, ""},
		{"good error", record.Read, 404, `{"error":"x","code":"state_session_not_found","more":1}`, ""},
		{"code of any status", record.Read, 418, `{"error":"x","code":"transport_error"}`, ""},
		{"good info", record.Document, 200, `{"status":"ended","latestSequence":1,"chunkCount":1,"more":1}`, ""},
		{"stream", record.Read, 200, ``, ""},
		{"nothing left", record.Read, 204, ``, ""},
		{"control", record.Control, 500, `oops`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, occasions := JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Kind: c.route, Status: c.status, Body: []byte(c.body)})
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
	_, got := JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Kind: record.Read, Status: 404, Body: []byte(`{"error":"x"}`)})
	if diff := cmp.Diff(map[string]int{"helix.http.error-body": 1}, got); diff != "" {
		t.Error(diff)
	}
	_, got = JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Kind: record.Document, Status: 200, Body: []byte(`{"status":"active","latestSequence":0,"chunkCount":0}`)})
	if diff := cmp.Diff(map[string]int{"helix.status.info-members": 1, "helix.status.info-word": 1}, got); diff != "" {
		t.Error(diff)
	}
}
