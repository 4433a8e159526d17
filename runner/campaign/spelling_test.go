package campaign_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
)

// TestSpelled: a body means the same in every spelling, and each spelling is another one.
func TestSpelled(t *testing.T) {
	raw := []byte(`{"texts":["","é","a/b",{"b":1,"a":[null,1e3]}],"é/\\":{"z":"\"","y":"\/"},"\\":"\\/","😀":"\\u0041\u0042"}`)
	var want any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := range 4 {
		var got any
		text := campaign.Spelled(raw, n)
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(want, got) {
			t.Errorf("spelling %d: %v, %.300s", n, err, text)
		}
		seen[string(text)] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d spellings, expected 4", len(seen))
	}
	if got := string(campaign.Spelled([]byte(`{"a/":"\\/😀é"}`), 1)); got != `{"a\/":"\\\/\ud83d\ude00\u00e9"}` {
		t.Errorf("in ASCII it is %s", got)
	}
}

// TestHeadersOf: headers of the config are not overridden, and a request without a body has no content type.
func TestHeadersOf(t *testing.T) {
	tg, err := target.New(target.Config{URL: "http://127.0.0.1:1", Headers: map[string]string{"cookie": "mine"}}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	ways := map[string]bool{}
	for n := range 7 {
		for _, body := range []bool{true, false} {
			headers := campaign.HeadersOf(tg, n, body)
			if _, is := headers["Cookie"]; is || !body && headers["Content-Type"] != "" {
				t.Errorf("the request %d has %v", n, headers)
			}
			ways[headers["Accept"]+" "+headers["Content-Type"]] = true
		}
	}
	if len(ways) != 5 {
		t.Errorf("requests are said in the ways %v", ways)
	}
}
