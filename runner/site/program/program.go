package program

import (
	"embed"
	"fmt"
	"io/fs"
)

// built contains what make put there, and the file that keeps the folder.
//
//go:embed all:built
var built embed.FS

// Built returns the folder with judge.wasm.gz and wasm_exec.js. The error is fs.ErrNotExist where the kit was built without
// them.
func Built() (fs.FS, error) {
	if _, err := fs.Stat(built, "built/judge.wasm.gz"); err != nil {
		return nil, fmt.Errorf("looking for the program of the playground: %w", err)
	}
	return fs.Sub(built, "built")
}
