package site

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/streamcert/streamcert/runner/site/playground"
)

// The files of the playground's program, as `make judge` builds them.
const (
	judgeProgram = "judge.wasm.gz"
	judgeStarter = "wasm_exec.js"
)

// assets adds the files that pages load. The scripts of the playground are only in sites with one.
func assets(b *book) error {
	files, err := fs.Glob(embedded, "assets/*")
	if err != nil {
		return fmt.Errorf("reading the assets of the site: %w", err)
	}
	for _, file := range files {
		if b.in.Judge == nil && strings.HasPrefix(path.Base(file), "playground") {
			continue
		}
		if b.files[file], err = fs.ReadFile(embedded, file); err != nil {
			return fmt.Errorf("reading the assets of the site: %w", err)
		}
	}
	if b.in.Judge == nil {
		return nil
	}
	return b.judge()
}

// judge packs the program of the playground into a script. A page that is opened from a disk can't fetch a file, and a
// worker of it can't load a script, so the page hands both over as text.
func (b *book) judge() error {
	program, err := fs.ReadFile(b.in.Judge, judgeProgram)
	if err == nil && len(program) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return fmt.Errorf("reading the program of the playground, which `make judge` builds: %w", err)
	}
	starter, err := fs.ReadFile(b.in.Judge, judgeStarter)
	if err != nil {
		return fmt.Errorf("reading what starts the program of the playground: %w", err)
	}
	worker, err := fs.ReadFile(embedded, "assets/playground-worker.js")
	if err != nil {
		return fmt.Errorf("reading the assets of the site: %w", err)
	}
	delete(b.files, "assets/playground-worker.js")
	var out bytes.Buffer
	fmt.Fprintf(&out, "window.judgeWorker = %q;\n", base64.StdEncoding.EncodeToString(append(append(starter, '\n'), worker...)))
	fmt.Fprintf(&out, "window.judgeProgram = %q;\n", base64.StdEncoding.EncodeToString(program))
	b.files["assets/judge.js"] = out.Bytes()
	return nil
}

// playgroundPage makes the page that judges recordings.
func playgroundPage(b *book) error {
	if b.in.Judge == nil {
		return nil
	}
	p := page{
		Path: playgroundFile, Title: "Playground", Kind: "playground", Scripts: []string{"index.js", "playground.js"},
		Policy: "blob: 'wasm-unsafe-eval'",
	}
	files := b.packs[0].Suite.Files
	digest, err := playground.Digest(files.Spec, files.Schemas)
	if err != nil {
		return err
	}
	view := struct {
		Packs    []string
		Digest   string
		Examples []example
	}{nil, digest, b.examples()}
	for _, k := range b.packs {
		view.Packs = append(view.Packs, k.Suite.Pack.Name)
	}
	body, err := b.part(p.Path, "playground.html", view)
	if err != nil {
		return err
	}
	p.Body = body
	b.index = append(b.index, entry{"Playground", "judge a recording in the browser", p.Path, "page"})
	return b.layout(p)
}
