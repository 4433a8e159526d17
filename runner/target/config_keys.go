package target

import (
	"os"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// path reads the name of a file or a folder.
func (r *configReader) path(what string, v ast.Node) string {
	s := r.text(what, v)
	if s == "" {
		r.fail(v, "%s must name a file or a folder, got nothing", what)
	}
	return r.beside(s)
}

// tls reads what a key of tls says; checkTLS looks at the files.
func (r *configReader) tls(key string, v ast.Node) {
	switch key {
	case "ca":
		r.cfg.TLS.CA = r.path("tls.ca", v)
	case "cert":
		r.cfg.TLS.Cert = r.path("tls.cert", v)
	case "key":
		r.cfg.TLS.Key = r.path("tls.key", v)
	case "insecure":
		s := r.text("tls.insecure", v)
		b, err := strconv.ParseBool(s)
		if err != nil || s != "true" && s != "false" {
			r.fail(v, "tls.insecure must be true or false, got %q", s)
		}
		r.cfg.TLS.Insecure = b
	}
}

// checkTLS opens every file that the section names. n is the section.
func (r *configReader) checkTLS(n ast.Node) {
	if r.err != nil {
		return
	}
	t := r.cfg.TLS
	at := func(key string) ast.Node {
		if v := value(n, key); v != nil {
			return v
		}
		return n
	}
	if (t.Cert == "") != (t.Key == "") {
		r.fail(n, "tls.cert and tls.key go together; expected both or neither")
		return
	}
	if t.CA != "" {
		if _, err := t.roots(); err != nil {
			r.fail(at("ca"), "tls.ca: %v; expected a file of certificates in PEM form", err)
		}
	}
	if t.Cert == "" {
		return
	}
	for key, path := range map[string]string{"cert": t.Cert, "key": t.Key} {
		if _, err := readPEM(path); err != nil {
			r.fail(at(key), "tls.%s: %s; expected a file in PEM form", key, fileProblem(path, err))
			return
		}
	}
	if _, err := t.pair(); err != nil {
		r.fail(at("cert"), "tls.cert: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

// value finds the value of a key in a mapping, nil if it isn't there.
func value(n ast.Node, key string) ast.Node {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	}
	for _, v := range values {
		if v.Key.GetToken().Value == key {
			return v.Value
		}
	}
	return nil
}

func (r *configReader) launch(key string, v ast.Node) {
	l := &r.cfg.Launch
	switch key {
	case "command":
		l.Command = r.command(v)
	case "cwd":
		l.Cwd = r.path("launch.cwd", v)
		if info, err := os.Stat(l.Cwd); r.err == nil && (err != nil || !info.IsDir()) {
			r.fail(v, "launch.cwd: there is no folder %s", l.Cwd)
		}
	case "env":
		l.Env = r.environment(v)
	case "ready":
		l.Ready = r.text("launch.ready", v)
		if _, err := parseURL(l.Ready); err != nil {
			r.fail(v, "launch.ready: %v", err)
		}
	case "stop":
		s := r.text("launch.stop", v)
		l.Stop = strings.ToUpper(s)
		if !strings.HasPrefix(l.Stop, "SIG") {
			l.Stop = "SIG" + l.Stop
		}
		if !slices.Contains(Signals(), l.Stop) {
			r.fail(v, "launch.stop must be one of %s, got %q", strings.Join(Signals(), ", "), s)
		}
	case "timeout":
		l.Timeout = r.duration("launch.timeout", v)
	}
}

// checkLaunch asks for what a section must have. n is the section.
func (r *configReader) checkLaunch(n ast.Node) {
	if len(r.cfg.Launch.Command) == 0 {
		r.fail(n, "launch needs a command: a list of the program and its arguments, or a text for the shell")
	}
}

// command is a list of a program and its arguments, or a text for the shell.
func (r *configReader) command(v ast.Node) []string {
	seq, ok := v.(*ast.SequenceNode)
	if !ok {
		s := r.text("launch.command", v)
		if strings.TrimSpace(s) == "" {
			r.fail(v, "launch.command must be a list of the program and its arguments, or a text for the shell; got nothing")
			return nil
		}
		if runtime.GOOS == "windows" {
			return []string{"cmd", "/d", "/c", s}
		}
		return []string{"/bin/sh", "-c", s}
	}
	var out []string
	for _, item := range seq.Values {
		out = append(out, r.text("launch.command", item))
	}
	if len(out) == 0 || out[0] == "" {
		r.fail(v, "launch.command must begin with a program, got nothing")
	}
	return out
}

func (r *configReader) environment(v ast.Node) []string {
	var out []string
	r.pairs("launch.env", v, func(name string, v ast.Node) {
		s := r.text("launch.env."+name, v)
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(s, "\x00") {
			r.fail(v, "launch.env: %q can't be set; expected a name without = and a value without NUL", name)
		}
		out = append(out, name+"="+s)
	})
	sort.Strings(out)
	return out
}

func (r *configReader) baseline(v ast.Node) {
	r.cfg.Baseline = r.path("baseline", v)
	if info, err := os.Stat(r.cfg.Baseline); r.err == nil && (err != nil || info.IsDir()) {
		r.fail(v, "baseline: there is no file %s; `streamcert certify --write-baseline FILE` writes one", r.cfg.Baseline)
	}
}

func (r *configReader) output(v ast.Node) {
	r.cfg.Output = r.path("output", v)
	if info, err := os.Stat(r.cfg.Output); r.err == nil && err == nil && !info.IsDir() {
		r.fail(v, "output: %s is a file; expected a folder, or nothing yet", r.cfg.Output)
	}
}

func (r *configReader) packNames(v ast.Node) {
	seq, ok := v.(*ast.SequenceNode)
	if !ok || len(seq.Values) == 0 {
		r.fail(v, "packs must be a list of protocols, such as [helix]")
		return
	}
	for _, item := range seq.Values {
		name := r.text("packs", item)
		switch {
		case len(r.packs) > 0 && !slices.Contains(r.packs, name):
			r.fail(item, "packs: unknown protocol `%s`%s; expected one of %s", name, suggest(name, r.packs), strings.Join(r.packs, ", "))
		case slices.Contains(r.cfg.Packs, name):
			r.fail(item, "packs: %s stands twice", name)
		}
		r.cfg.Packs = append(r.cfg.Packs, name)
	}
}
