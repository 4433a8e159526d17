package schemas

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// source is one line of testdata/sources: an example whose members, types and order are those of the documents
// that the spec was drawn from. The values are new.
type source struct {
	File, Contains, Shows, Outcome string
	Line                           int
	Strict                         []string // requirements that the strict profile finds broken
}

func TestSources(t *testing.T) {
	s := load(t)
	data, err := os.ReadFile("testdata/sources/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest []source
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, x := range manifest {
		listed[x.File]++
		t.Run(x.File+" "+x.Shows, func(t *testing.T) { x.test(t, s) })
	}
	for file, n := range listed {
		if documents := countDocuments(t, file); documents != n {
			t.Errorf("%s holds %d documents, the manifest lists %d", file, documents, n)
		}
	}
}

func (x source) test(t *testing.T, s *Set) {
	line := strings.TrimPrefix(sourceLines(t, x.File)[x.Line-1], "data: ")
	read := s.Chunk
	if x.Contains == "frame" {
		read = s.Frame
	}
	strict, lenient := read(Strict, []byte(line)), read(Lenient, []byte(line))
	broken := []string{}
	for _, f := range strict.Findings {
		broken = append(broken, f.Requirement)
	}
	slices.Sort(broken)
	if diff := cmp.Diff(x.Strict, slices.Compact(broken)); diff != "" {
		t.Errorf("strict profile (-want +got):\n%s", diff)
	}
	outcome := "rejected"
	switch {
	case !strict.Known:
		outcome = "unknown"
	case strict.OK():
		outcome = "strict"
	case lenient.OK():
		outcome = "lenient"
	}
	if outcome != x.Outcome {
		t.Errorf("outcome %s, want %s; lenient findings: %+v", outcome, x.Outcome, lenient.Findings)
	}
}

func sourceLines(t *testing.T, file string) []string {
	data, err := os.ReadFile(path.Join("testdata/sources", file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

func countDocuments(t *testing.T, file string) int {
	n := 0
	for _, line := range sourceLines(t, file) {
		if strings.HasPrefix(line, "data: ") || strings.HasPrefix(line, "{") {
			n++
		}
	}
	return n
}
