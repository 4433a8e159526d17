package target

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"golang.org/x/net/http/httpguts"
)

// keys of streamcert.yaml, by the mapping they stand in.
var sections = []struct {
	name string
	keys []string
}{
	{"", []string{"target", "routes", "headers", "control", "without", "timing", "limits", "aep",
		"tls", "launch", "baseline", "output", "packs"}},
	{"target", []string{"url"}},
	{"routes", []string{"read", "info", "snapshot", "stream", "cancel", "control"}},
	{"control", []string{"token"}},
	{"timing", []string{"deadline", "quiet", "idle", "heartbeat", "scenario", "scale"}},
	{"limits", []string{"frame", "answer", "scenario"}},
	{"aep", []string{"agent", "other", "limited", "message", "requests", "streamTimeout"}},
	{"tls", []string{"ca", "cert", "key", "insecure"}},
	{"launch", []string{"command", "cwd", "env", "ready", "stop", "timeout"}},
}

func keysOf(section string) []string {
	for _, s := range sections {
		if s.name == section {
			return s.keys
		}
	}
	return nil
}

// ReadConfig reads a YAML config. name is used in errors; env resolves ${NAME}
// in values (os.LookupEnv for a real run); capabilities is the list that
// `without` may name, packs what `packs` may. Relative paths begin at the folder
// of name; files that have to be there are looked at. Errors are *ConfigError.
func ReadConfig(name string, src []byte, env func(string) (string, bool), capabilities []string, packs ...string) (Config, error) {
	file, err := parser.ParseBytes(src, 0)
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) && syntax.Token != nil {
			return Config{}, &ConfigError{name, syntax.Token.Position.Line, "the file is not YAML: " + syntax.Message}
		}
		return Config{}, &ConfigError{name, 0, "the file is not YAML: " + firstLine(err.Error())}
	}
	r := configReader{name: name, env: env, capabilities: capabilities, packs: packs}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			r.root(doc.Body)
		}
	}
	if r.err != nil {
		return Config{}, r.err
	}
	return r.cfg, nil
}

// ReadConfigFile reads a config from disk, resolving ${NAME} from the
// environment.
func ReadConfigFile(path string, capabilities []string, packs ...string) (Config, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("reading the config: %w", err)
	}
	return ReadConfig(path, bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), os.LookupEnv, capabilities, packs...)
}

type configReader struct {
	name         string
	env          func(string) (string, bool)
	capabilities []string
	packs        []string
	cfg          Config
	err          error
}

func (r *configReader) fail(n ast.Node, format string, args ...any) {
	if r.err == nil {
		line := 0
		if n != nil && n.GetToken() != nil {
			line = n.GetToken().Position.Line
		}
		r.err = &ConfigError{r.name, line, fmt.Sprintf(format, args...)}
	}
}

// pairs calls use for each key of a mapping and reports keys outside allowed.
func (r *configReader) pairs(section string, n ast.Node, use func(key string, v ast.Node)) {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	case *ast.NullNode:
		return
	default:
		where := "the file"
		if section != "" {
			where = "`" + section + "`"
		}
		r.fail(n, "%s must be a mapping of keys to values", where)
		return
	}
	allowed := keysOf(section)
	seen := map[string]bool{}
	for _, v := range values {
		key := v.Key.GetToken().Value
		if seen[key] {
			r.fail(v.Key, "key `%s` stands twice", key)
		}
		seen[key] = true
		if allowed != nil && !slices.Contains(allowed, key) {
			r.fail(v.Key, "unknown key `%s`%s; expected one of %s", key, suggest(key, allowed), strings.Join(allowed, ", "))
			continue
		}
		use(key, v.Value)
	}
}

func (r *configReader) root(n ast.Node) {
	r.pairs("", n, func(key string, v ast.Node) {
		switch key {
		case "target":
			r.pairs(key, v, func(_ string, v ast.Node) { r.cfg.URL = r.url(v) })
		case "routes":
			r.pairs(key, v, r.route)
		case "headers":
			r.cfg.Headers = r.headers("headers", v)
		case "control":
			r.pairs(key, v, func(_ string, v ast.Node) { r.cfg.ControlToken = r.text("control.token", v) })
		case "without":
			r.without(v)
		case "timing":
			r.pairs(key, v, r.timing)
		case "limits":
			r.pairs(key, v, r.limit)
		case "aep":
			r.pairs(key, v, r.aep)
		case "tls":
			r.pairs(key, v, r.tls)
			r.checkTLS(v)
		case "launch":
			r.pairs(key, v, r.launch)
			r.checkLaunch(v)
		case "baseline":
			r.baseline(v)
		case "output":
			r.output(v)
		case "packs":
			r.packNames(v)
		}
	})
}

// holes are what a route must hold the place of.
var holes = map[string]string{"read": "{stream}", "info": "{stream}", "snapshot": "{stream}", "cancel": "{requestId}"}

func (r *configReader) route(key string, v ast.Node) {
	s := r.text("routes."+key, v)
	if !strings.HasPrefix(s, "/") {
		r.fail(v, "routes.%s must begin with /, got %q", key, s)
	}
	if !strings.Contains(s, holes[key]) {
		r.fail(v, "routes.%s must contain %s, got %q", key, holes[key], s)
	}
	switch key {
	case "read":
		r.cfg.Routes.Read = s
	case "info":
		r.cfg.Routes.Info = s
	case "snapshot":
		r.cfg.Routes.Snapshot = s
	case "stream":
		r.cfg.Routes.Stream = s
	case "cancel":
		r.cfg.Routes.Cancel = s
	case "control":
		r.cfg.Routes.Control = strings.TrimSuffix(s, "/")
	}
}

// headers reads a mapping of header names to values.
func (r *configReader) headers(section string, n ast.Node) map[string]string {
	out := map[string]string{}
	r.pairs(section, n, func(key string, v ast.Node) {
		if !httpguts.ValidHeaderFieldName(key) {
			r.fail(v, "%s: %q is not a header name", section, key)
		}
		s := r.text(section+"."+key, v)
		if !httpguts.ValidHeaderFieldValue(s) {
			r.fail(v, "%s.%s: the value holds a character that a header can't carry", section, key)
		}
		out[http.CanonicalHeaderKey(key)] = s
	})
	return out
}

func (r *configReader) without(v ast.Node) {
	seq, ok := v.(*ast.SequenceNode)
	if !ok {
		r.fail(v, "without must be a list of capabilities")
		return
	}
	for _, item := range seq.Values {
		c := r.text("without", item)
		if len(r.capabilities) > 0 && !slices.Contains(r.capabilities, c) {
			r.fail(item, "unknown capability `%s`%s; expected one of %s", c, suggest(c, r.capabilities), strings.Join(r.capabilities, ", "))
		}
		r.cfg.Without = append(r.cfg.Without, c)
	}
}

func (r *configReader) timing(key string, v ast.Node) {
	s := r.text("timing."+key, v)
	if key == "scale" {
		var f float64
		if _, err := fmt.Sscanf(s, "%g", &f); err != nil || !(f > 0 && f <= 1000) {
			r.fail(v, "timing.scale must be a number above 0 and at most 1000, got %q", s)
		}
		r.cfg.Timing.Scale = f
		return
	}
	d := r.duration("timing."+key, v)
	switch key {
	case "deadline":
		r.cfg.Timing.Deadline = d
	case "quiet":
		r.cfg.Timing.Quiet = d
	case "idle":
		r.cfg.Timing.Idle = d
	case "heartbeat":
		r.cfg.Timing.Heartbeat = d
	case "scenario":
		r.cfg.Timing.Scenario = d
	}
}

func (r *configReader) duration(what string, v ast.Node) time.Duration {
	s := r.text(what, v)
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > 24*time.Hour {
		r.fail(v, "%s must be a duration such as 250ms or 5s, got %q", what, s)
	}
	return d
}

const (
	minLimit = 1 << 10
	maxLimit = 1 << 40
)

var size = regexp.MustCompile(`^([0-9]{1,12})(KiB|MiB|GiB)?$`)

// bytes reads a size, -1 where it is none.
func (r *configReader) bytes(what string, v ast.Node) (n int64, text string) {
	text = r.text(what, v)
	m := size.FindStringSubmatch(text)
	if m == nil {
		return -1, text
	}
	n, _ = strconv.ParseInt(m[1], 10, 64) // at most twelve digits
	unit := map[string]int64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[m[2]]
	return min(n, maxLimit/unit+1) * unit, text
}

func (r *configReader) limit(key string, v ast.Node) {
	n, s := r.bytes("limits."+key, v)
	if n < minLimit || n > maxLimit {
		r.fail(v, "limits.%s must be a number of bytes such as 65536 or 16MiB, 1KiB at least, got %q", key, s)
	}
	switch key {
	case "frame":
		r.cfg.Limits.Frame = n
	case "answer":
		r.cfg.Limits.Answer = n
	case "scenario":
		r.cfg.Limits.Scenario = n
	}
}

func (r *configReader) url(v ast.Node) string {
	s := r.text("target.url", v)
	if _, err := parseBase(s); err != nil {
		r.fail(v, "target.url: %v", err)
	}
	return s
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// text is a scalar with its ${NAME}s resolved. An unset name is an error: an
// empty secret would only be noticed as a puzzling 401.
func (r *configReader) text(what string, v ast.Node) string {
	switch v.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.NullNode:
		r.fail(v, "%s must be a single value", what)
		return ""
	}
	raw := v.GetToken().Value
	if l, ok := v.(*ast.LiteralNode); ok {
		raw = l.Value.Value
	}
	return variable.ReplaceAllStringFunc(raw, func(m string) string {
		name := variable.FindStringSubmatch(m)[1]
		val, ok := r.env(name)
		if !ok {
			r.fail(v, "%s needs the environment variable %s, which is not set", what, name)
		}
		return val
	})
}

func suggest(word string, among []string) string {
	best, at := "", 3
	for _, w := range among {
		if d := levenshtein.ComputeDistance(word, w); d < at {
			best, at = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean `%s`?)", best)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
