package diff_test

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/streamcert/streamcert/runner/diff"
	"github.com/streamcert/streamcert/runner/release"
)

// Two versions of a pack are compared requirement by requirement.
func ExampleCompare() {
	read := func(name string, files fs.FS) *diff.Version {
		v, err := diff.Read(release.Source{Name: name, Files: files}, "toy")
		if err != nil {
			panic(err)
		}
		return v
	}
	after := kit()
	for _, file := range after {
		file.Data = []byte(strings.ReplaceAll(string(file.Data), "SHOULD", "MUST"))
	}
	report, err := diff.Compare(read("1.0.0", kit()), read("a working copy", after))
	if err != nil {
		panic(err)
	}
	for _, item := range report.Changed {
		fmt.Println(item.ID, item.Class)
	}
	// Output: toy.words.late breaking for servers
}
