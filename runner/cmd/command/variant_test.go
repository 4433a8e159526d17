package command

import (
	"strings"
	"testing"
)

const (
	aStep = "event: progress\ndata: {\"payload\":{\"id\":\"6f1c2f4e-9d3b-4b52-8a41-0c9d6a1f7e21\",\"name\":\"Read\",\"status\":\"DONE\",\"values\":[],\"icon\":\"DEFAULT\"}}\n\n"
	done  = "event: end\ndata: {\"type\":\"DONE\"}\n\n"
)

// TestVariant: the route states which version a stream has, and a guess reports that it is one.
func TestVariant(t *testing.T) {
	stream := aStep + "data: {\"content\":\"\",\"index\":0,\"type\":\"text\",\"text\":\"a\"}\n\n" + done
	for args, words := range map[string][]string{
		"--variant v2":               {"merlin.chunks.no-v1-events", "0 MUST"},
		"--variant v1":               {"merlin.slices.init"},
		"--pack merlin":              {"0 MUST", "judged as v2, which is a guess; say it with --variant"},
		"--pack merlin --variant v1": {"merlin.slices.init"},
	} {
		r := streamcert(t, stream, append([]string{"check", "-"}, strings.Fields(args)...)...)
		for _, word := range words {
			if !strings.Contains(r.Out, word) {
				t.Errorf("%s: no %q in\n%s%s", args, word, r.Out, r.Errs)
			}
		}
		if guess := strings.Contains(r.Out, "guess"); guess != !strings.Contains(args, "variant") {
			t.Errorf("%s: %s", args, r.Out)
		}
	}
	for args, words := range map[string][]string{
		"check - --variant v3":                     {"expected v1 or v2"},
		"check - --pack helix --variant v1":        {"pack helix has one version only"},
		"observe http://h --variant v12":           {"did you mean v1?"},
		"observe http://h --pack aep --variant v2": {"pack aep has one version only"},
	} {
		r := streamcert(t, "", strings.Fields(args)...)
		r.OneLine(t, misuse, words...)
	}
}
