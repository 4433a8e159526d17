package main

import (
	"embed"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// sources are the files of the wrapper: its script and its README.
//
//go:embed npm
var sources embed.FS

// platforms are the systems that have a separate package: Node's
// name of each, which the package has, by Go's.
var platforms = map[string][2]string{
	"linux_amd64": {"linux", "x64"}, "linux_arm64": {"linux", "arm64"},
	"darwin_amd64": {"darwin", "x64"}, "darwin_arm64": {"darwin", "arm64"},
	"windows_amd64": {"win32", "x64"}, "windows_arm64": {"win32", "arm64"},
}

// manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Repository  map[string]string `json:"repository"`
	Homepage    string            `json:"homepage"`
	Bin         map[string]string `json:"bin,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Engines     map[string]string `json:"engines"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Publish     map[string]string `json:"publishConfig"`
	// Yarn leaves a package with a binary unzipped.
	Unplugged bool `json:"preferUnplugged,omitempty"`
}

func (r *release) manifest(name, description string) manifest {
	return manifest{
		Name: name, Version: r.version, Description: description, License: license, Homepage: repository + "#readme",
		Repository: map[string]string{"type": "git", "url": "git+" + repository + ".git"},
		Engines:    map[string]string{"node": ">=18"}, Publish: map[string]string{"access": "public"},
	}
}

// npm packs the wrapper, and a package with the binary of each system, as `npm
// pack` names and lays them out. No package has a script that runs when it is
// installed: npm takes the package that fits, by its os and cpu.
func (r *release) npm(out io.Writer) error {
	binaries, err := r.binaries()
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, b := range binaries {
		name, data, err := r.platform(b)
		if err != nil {
			return err
		}
		files[name] = data
	}
	name, data, err := r.wrapper()
	if err != nil {
		return err
	}
	files[name] = data
	if err := os.MkdirAll(r.path("dist", "npm"), 0o755); err != nil {
		return fmt.Errorf("making the folder of the packages: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := r.write(out, "dist/npm/"+name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// platform returns the name and the bytes of the package of a binary.
func (r *release) platform(b binary) (string, []byte, error) {
	node, known := platforms[b.os+"_"+b.arch]
	if !known {
		return "", nil, fmt.Errorf("packing for npm: no package is listed for %s/%s; runner/cmd/dist/npm.go lists them", b.os, b.arch)
	}
	m := r.manifest("@streamcert/"+node[0]+"-"+node[1], fmt.Sprintf("The binary of streamcert for %s, %s.", node[0], node[1]))
	m.OS, m.CPU, m.Unplugged = node[:1], node[1:], true
	program, err := file("package/bin/"+b.name(), 0o755, b.path)
	if err != nil {
		return "", nil, err
	}
	readme := fmt.Sprintf("# %s\n\n%s Install [streamcert](https://www.npmjs.com/package/streamcert), which takes it where it fits.\n", m.Name, m.Description)
	return r.pack("streamcert-"+node[0]+"-"+node[1], m, program, entry{"package/README.md", 0o644, []byte(readme)})
}

// wrapper returns the package that starts the binary of the platform.
func (r *release) wrapper() (string, []byte, error) {
	m := r.manifest("streamcert", "Certifies that an agent server streams the way its protocol says it must.")
	m.Bin, m.Optional = map[string]string{"streamcert": "bin/streamcert.js"}, map[string]string{}
	for _, node := range platforms {
		m.Optional["@streamcert/"+node[0]+"-"+node[1]] = r.version
	}
	script, err := sources.ReadFile("npm/streamcert.js")
	if err != nil {
		return "", nil, err
	}
	readme, err := sources.ReadFile("npm/README.md")
	if err != nil {
		return "", nil, err
	}
	return r.pack("streamcert", m, entry{"package/bin/streamcert.js", 0o755, script}, entry{"package/README.md", 0o644, readme})
}

// pack returns the name and the bytes of a package of its manifest, the licence,
// and files.
func (r *release) pack(name string, m manifest, files ...entry) (string, []byte, error) {
	text, err := jsonOf(m)
	if err != nil {
		return "", nil, err
	}
	licence, err := file("package/LICENSE", 0o644, r.path("LICENSE"))
	if err != nil {
		return "", nil, err
	}
	data, err := tarball(append([]entry{{"package/package.json", 0o644, text}, licence}, files...))
	return name + "-" + r.version + ".tgz", data, err
}
