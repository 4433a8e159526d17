package lab

import (
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/streamcert/streamcert/runner/excerpt"
	"github.com/streamcert/streamcert/runner/files"
)

// driftedExcerpts lists the excerpts in the spec that differ from their golden, each with the difference.
func driftedExcerpts(chapters, goldens fs.FS) ([]string, error) {
	var out []string
	err := eachExcerpt(chapters, goldens, func(file, _ string, problems []excerpt.Problem) error {
		for _, p := range problems {
			out = append(out, fmt.Sprintf("spec/%s:%d: %s", file, p.Line, p.Message))
		}
		return nil
	})
	return out, err
}

// rewriteExcerpts has every chapter of a working copy show its goldens as they are. It returns the files that it changed.
func rewriteExcerpts(dir string) ([]string, error) {
	var changed []string
	copied, err := files.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the working copy: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the working copy: %w", err)
	}
	defer root.Close()
	chapters, _ := fs.Sub(copied, "spec") // the names are valid
	goldens, _ := fs.Sub(copied, "golden")
	err = eachExcerpt(chapters, goldens, func(file, updated string, problems []excerpt.Problem) error {
		if len(problems) == 0 {
			return nil
		}
		before, err := fs.ReadFile(chapters, file)
		if err != nil || string(before) == updated {
			return err
		}
		changed = append(changed, file)
		return files.Replace(root, path.Join("spec", file), []byte(updated))
	})
	return changed, err
}

// eachExcerpt reads the Markdown of a spec, and calls do with the expected text of each file and its problems.
func eachExcerpt(chapters, goldens fs.FS, do func(file, updated string, problems []excerpt.Problem) error) error {
	for _, pattern := range []string{"*.md", "*/*.md"} {
		files, err := fs.Glob(chapters, pattern)
		if err != nil {
			return fmt.Errorf("listing the chapters: %w", err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(chapters, file)
			if err != nil {
				return fmt.Errorf("reading the chapters: %w", err)
			}
			updated, problems := excerpt.Update(goldens, string(text))
			if err := do(file, updated, problems); err != nil {
				return fmt.Errorf("rewriting spec/%s: %w", file, err)
			}
		}
	}
	return nil
}
