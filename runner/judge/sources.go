package judge

import "embed"

// FS holds the sources of this package and of the judges below it, rooted at this folder: where each requirement is held.
//
//go:embed *
var FS embed.FS
