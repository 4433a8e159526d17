package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed notes.md.tmpl
var notesText string

const changeLog = ".github/CHANGELOG.md"

// packVersion is the version of a pack's specification.
type packVersion struct{ Name, Version string }

// notes writes the text of the release: its entry of the change log, how to get
// it, the packs, and the checksums if the archives are there.
func (r *release) notes(out io.Writer) error {
	data := struct {
		Version, Changes, Sums, Repository, Image, Program string
		Packs                                              []packVersion
	}{Version: r.version, Repository: repository, Image: image, Program: program}
	log, err := os.ReadFile(r.path(changeLog))
	if err != nil {
		return fmt.Errorf("reading the change log: %w", err)
	}
	if data.Changes = changes(string(log), r.version); data.Changes == "" {
		return fmt.Errorf("%s has no text under \"## %s\"; write what changes for users", changeLog, r.version)
	}
	if data.Packs, err = r.packs(); err != nil {
		return err
	}
	list, err := os.ReadFile(r.path(sums))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the checksums: %w", err)
	}
	data.Sums = string(list)
	if data.Sums != "" && !strings.Contains(data.Sums, "_"+r.version+".") {
		return fmt.Errorf("%s lists no file of version %s; run `make dist`", sums, r.version)
	}
	return template.Must(template.New("notes").Parse(notesText)).Execute(out, data)
}

var heading = regexp.MustCompile(`(?m)^## .*$`)

// changes returns the text below the heading of a version, "" if there is none. Text after the version in the heading, such
// as a date, is ignored.
func changes(log, version string) string {
	at := heading.FindAllStringIndex(log, -1)
	for i, h := range at {
		if words := strings.Fields(log[h[0]:h[1]]); len(words) < 2 || words[1] != version {
			continue
		}
		end := len(log)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		return strings.TrimSpace(log[h[1]:end])
	}
	return ""
}

// packs returns the version of each pack, by name.
func (r *release) packs() ([]packVersion, error) {
	names, err := filepath.Glob(r.path("spec", "*", "VERSION"))
	if err != nil {
		return nil, err
	}
	var out []packVersion
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading the version of a pack: %w", err)
		}
		out = append(out, packVersion{filepath.Base(filepath.Dir(name)), strings.TrimSpace(string(text))})
	}
	return out, nil
}
