package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/runner/diff"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/release"
)

// runtimeOf is the program that runs the samples.
const runtimeOf = "node"

// yesterday certifies the samples of an old version by the suite of this call. An error that stops a sample is part of its
// result.
func (d *differ) yesterday(ctx context.Context, old release.Source, pack string) ([]diff.Server, error) {
	folders, err := release.Samples(old.Files, pack)
	if err != nil {
		return nil, Misused(fmt.Errorf("looking for the samples of %s: %w", old.Name, err))
	}
	if len(folders) == 0 {
		return []diff.Server{{Name: pack, Skipped: old.Name + " has no sample of it", Failed: []string{}}}, nil
	}
	var out []diff.Server
	for _, folder := range folders {
		s := diff.Server{Name: folder, Failed: []string{}}
		if _, err := exec.LookPath(runtimeOf); err != nil {
			s.Skipped = "there is no node on the PATH; install Node 20 or newer"
		} else if err := d.certified(ctx, old, pack, &s); err != nil {
			s.Skipped = err.Error()
		}
		out = append(out, s)
	}
	return out, nil
}

// certified runs one sample in a new folder and on a free port, as its config states, and certifies it.
func (d *differ) certified(ctx context.Context, old release.Source, pack string, s *diff.Server) error {
	files, err := fs.Sub(old.Files, s.Name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "streamcert-sample-")
	if err != nil {
		return fmt.Errorf("making a folder for it: %w", err)
	}
	defer os.RemoveAll(dir)
	copied := filepath.Join(dir, "sample")
	if err := os.CopyFS(copied, files); err != nil {
		return fmt.Errorf("copying it: %w", err)
	}
	config := filepath.Join(copied, "streamcert.yaml")
	if err := onFreePort(config); err != nil {
		return err
	}
	args := []string{"certify", "--config", config, "--pack", pack, "--effort", "quick", "--format", "json"}
	if d.app.dir != "" {
		args = append(args, "--dir", d.app.dir)
	}
	var report, said bytes.Buffer
	d.app.orderly.Store(true)
	code := New(d.app.program, d.app.packs, d.app.servers).Run(ctx, args, strings.NewReader(""), &report, &said)
	if code != 0 && code != broken {
		return fmt.Errorf("certifying it: %s", strings.TrimPrefix(strings.TrimSpace(said.String()), "streamcert: "))
	}
	var result struct {
		Requirements []struct{ ID, Verdict string }
	}
	if err := json.Unmarshal(report.Bytes(), &result); err != nil {
		return fmt.Errorf("reading its report: %w", err)
	}
	for _, r := range result.Requirements {
		switch r.Verdict {
		case "pass":
			s.Passed++
		case "fail":
			s.Failed = append(s.Failed, r.ID)
		}
	}
	return nil
}

var portOfURL = regexp.MustCompile(`url: *http://127\.0\.0\.1:(\d+)`)

// onFreePort gives the server of a config a free port, wherever the config contains that of its url.
func onFreePort(config string) error {
	text, err := files.ReadFile(config, files.MostBytes)
	if err != nil {
		return fmt.Errorf("reading its config: %w", err)
	}
	port := portOfURL.FindSubmatch(text)
	if port == nil {
		return nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("looking for a free port: %w", err)
	}
	defer l.Close()
	_, free, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return fmt.Errorf("looking for a free port: %w", err)
	}
	if err := os.WriteFile(config, bytes.ReplaceAll(text, port[1], []byte(free)), 0o600); err != nil {
		return fmt.Errorf("writing its config: %w", err)
	}
	return nil
}
