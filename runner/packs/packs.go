package packs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/pack/aep"
	"github.com/streamcert/streamcert/runner/pack/helix"
	helixui "github.com/streamcert/streamcert/runner/pack/helix-ui"
	"github.com/streamcert/streamcert/runner/pack/merlin"
	"github.com/streamcert/streamcert/runner/target"
)

// List is some packs, in the order in which they are shown.
type List []pack.Pack

// All is every pack of this build: a new protocol adds its line here.
func All() List {
	return List{
		helix.Pack(),
		aep.Pack(),
		helixui.Pack(),
		merlin.Pack(),
	}
}

// Names lists the names of all packs of this build.
func Names() []string { return All().Names() }

// Load is [List.Load] of all packs of this build.
func Load(files pack.Files, name string) (*pack.Suite, error) { return All().Load(files, name) }

// Names lists the names of the packs.
func (l List) Names() []string {
	var names []string
	for _, p := range l {
		names = append(names, p.Name)
	}
	return names
}

// Sections returns the config sections of the packs.
func (l List) Sections() []target.Section {
	var out []target.Section
	for _, p := range l {
		out = append(out, p.Config)
	}
	return out
}

// Load reads a pack by its name. An error names the file, the line and the expected text.
func (l List) Load(files pack.Files, name string) (*pack.Suite, error) {
	i := slices.IndexFunc(l, func(p pack.Pack) bool { return p.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no pack %q; the packs are %s", name, strings.Join(l.Names(), ", "))
	}
	return pack.Load(files, l[i])
}
