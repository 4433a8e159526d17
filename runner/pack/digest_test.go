package pack_test

import (
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// TestDigest: a suite's digest changes with the common files and with the pack's folders, and with nothing else.
func TestDigest(t *testing.T) {
	all := packs.All()
	own, other := all[0], all[1].Name
	whole := fstest.MapFS{}
	err := fs.WalkDir(spec.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(spec.FS, name)
		whole[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	digest := func(changed string) string {
		files := maps.Clone(whole)
		if changed != "" {
			if files[changed] == nil {
				t.Fatalf("there is no spec/%s", changed)
			}
			files[changed] = &fstest.MapFile{Data: slices.Concat(files[changed].Data, []byte("\nmore\n"))}
		}
		s, err := pack.Load(pack.Files{Spec: files, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS}, own)
		if err != nil {
			t.Fatal(err)
		}
		return s.Digest
	}
	before := digest("")
	for changed, changes := range map[string]bool{
		"README.md": true, own.Name + "/CHANGELOG.md": true, other + "/VERSION": false, own.Name + "/control.md": true, other + "/control.md": false, other + "/rationale.md": false,
	} {
		if (digest(changed) != before) != changes {
			t.Errorf("spec/%s: the digest changes: %v", changed, !changes)
		}
	}
}
