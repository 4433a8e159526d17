package judge

import "embed"

// FS contains the sources of this package and of the judges below it, rooted at this folder: where each requirement is checked.
//
//go:embed *
var FS embed.FS
