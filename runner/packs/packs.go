package packs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/pack/aep"
	"github.com/streamcert/streamcert/runner/pack/helix"
	"github.com/streamcert/streamcert/runner/target"
)

// All is every pack of this build: a new protocol adds its line here.
func All() []pack.Pack {
	return []pack.Pack{
		helix.Pack(),
		aep.Pack(),
	}
}

// Names lists the names of the packs.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Sections are what the packs add to a config.
func Sections() []target.Section {
	var out []target.Section
	for _, p := range All() {
		out = append(out, p.Config)
	}
	return out
}

// Load reads a pack by its name. An error names the file, the line and what was
// expected.
func Load(files pack.Files, name string) (*pack.Suite, error) {
	all := All()
	i := slices.IndexFunc(all, func(p pack.Pack) bool { return p.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no pack %q; the packs are %s", name, strings.Join(Names(), ", "))
	}
	return pack.Load(files, all[i])
}
