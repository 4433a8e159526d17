package reference

import "embed"

// FS contains the sources of this package and of those below it that a server is made of, rooted at this folder. Their
// comments name the requirements that they keep, and a program without a working copy can show them. The samples in other
// languages are with them, for lint.
//
//go:embed *.go aep helix helix-ui merlin model request restart runtime store text node*/*.mjs node*/*.md node*/*.yaml node*/*.json
var FS embed.FS
