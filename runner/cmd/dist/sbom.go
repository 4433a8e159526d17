package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// bom is a bill of materials as CycloneDX 1.6 writes it. It has no time, and its
// serial number is made from its content.
type bom struct {
	Format       string `json:"bomFormat"`
	Spec         string `json:"specVersion"`
	Serial       string `json:"serialNumber,omitempty"`
	Version      int    `json:"version"`
	Metadata     bomOf  `json:"metadata"`
	Components   []part `json:"components"`
	Dependencies []uses `json:"dependencies"`
}

type bomOf struct {
	Component part `json:"component"`
}

// part is a component: the program, a module, or the standard library.
type part struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Licenses []licence `json:"licenses,omitempty"`
	PURL     string    `json:"purl"`
}

type licence struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

// uses lists the dependencies of a component. Binaries list modules without the edges between them, so all depend on the
// program.
type uses struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

func newPart(kind, name, version string) part {
	purl := "pkg:golang/" + name + "@" + strings.ReplaceAll(version, "+", "%2B")
	return part{Type: kind, Ref: purl, Name: name, Version: version, PURL: purl}
}

// sbom returns the bill of materials of binaries, from the build information in them: a module in several of them is listed
// once.
func (r *release) sbom(binaries []binary) ([]byte, error) {
	parts := map[string]part{}
	add := func(p part) { parts[p.Ref] = p }
	for _, b := range binaries {
		info, err := buildinfo.ReadFile(b.path)
		if err != nil {
			return nil, fmt.Errorf("reading the modules of %s: %w", b.path, err)
		}
		add(newPart("library", "std", strings.TrimPrefix(info.GoVersion, "go")))
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			add(newPart("library", m.Path, m.Version))
		}
	}
	main := newPart("application", module, "v"+r.version)
	main.Licenses = make([]licence, 1)
	main.Licenses[0].License.ID = license
	refs := slices.Sorted(maps.Keys(parts))
	doc := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: bomOf{main}, Dependencies: []uses{{main.Ref, refs}}}
	for _, ref := range refs {
		doc.Components = append(doc.Components, parts[ref])
	}
	content, err := jsonOf(doc)
	if err != nil {
		return nil, err
	}
	// The content of a version 8 UUID is up to its maker.
	sum := sha256.Sum256(content)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	doc.Serial = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	return jsonOf(doc)
}

// jsonOf returns indented JSON with a newline, as people write it.
func jsonOf(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
