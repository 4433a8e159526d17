package config

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// decoder converts YAML and text into values. It stores the first mistake in a value.
type decoder struct {
	lookup   func(string) (string, bool)        // of ${NAME}
	resolved func(path, variable, value string) // as in an Input
	err      error                              // the first mistake; nil before
}

func (d *decoder) fail(at Position, format string, args ...any) {
	if d.err == nil {
		d.err = at.Errorf(format, args...)
	}
}

// value reads the value of a key in the form of its kind.
func (d *decoder) value(k *Key, v value) any {
	switch k.Kind {
	case Headers:
		return d.headers(k, v)
	case Environment:
		return d.environment(k, v)
	case Names:
		return d.names(k, v)
	case Command:
		return d.command(k, v)
	}
	s := d.text(k.Path, v)
	if d.err != nil {
		return nil
	}
	switch k.Kind {
	case Duration:
		return d.duration(k, v.position, s)
	case Bytes:
		return d.bytes(k, v.position, s)
	case Number:
		return d.number(k, v.position, s)
	case Count:
		return d.count(k, v.position, s)
	case Switch:
		if s != "true" && s != "false" {
			d.fail(v.position, "%s must be true or false, got %q", k.Path, s)
		}
		return s == "true"
	}
	return d.word(k, v.position, s)
}

// word returns a text that its kind restricts, such as a name.
func (d *decoder) word(k *Key, at Position, s string) string {
	switch k.Kind {
	case Name:
		if s == "" {
			d.fail(at, "%s must name %s, got nothing", k.Path, k.Names)
		}
	case Path:
		if s == "" {
			d.fail(at, "%s must name a file or a folder, got nothing", k.Path)
		} else if !filepath.IsAbs(s) && at.File != "" {
			return filepath.Join(filepath.Dir(at.File), s)
		}
	case URL:
		d.url(k, at, s)
	case Base:
		if _, err := ParseBase(s); err != nil {
			d.fail(at, "%s: %v", k.Path, err)
		}
	case Route:
		if !strings.HasPrefix(s, "/") {
			d.fail(at, "%s must begin with /, got %q", k.Path, s)
		}
		if !strings.Contains(s, k.Placeholder) {
			d.fail(at, "%s must contain %s, got %q", k.Path, k.Placeholder, s)
		}
	case Template:
		if !json.Valid([]byte(s)) || strings.Count(s, `"`+k.Placeholder+`"`) != 1 {
			d.fail(at, "%s must be JSON that holds the string %q once, got %q", k.Path, k.Placeholder, s)
		}
	case Signal:
		return d.signal(k, at, s)
	}
	return s
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// text returns a scalar with its ${NAME}s replaced. An unset name is an error: an empty secret would only show as a
// puzzling 401. Values of the environment aren't expanded again.
func (d *decoder) text(what string, v value) string {
	if v.form != scalar {
		d.fail(v.position, "%s must be a single value", what)
		return ""
	}
	if v.position.Variable != "" {
		d.resolved(what, v.position.Variable, v.text)
		return v.text
	}
	return variable.ReplaceAllStringFunc(v.text, func(m string) string {
		name := variable.FindStringSubmatch(m)[1]
		s, ok := d.lookup(name)
		if !ok {
			d.fail(v.position, "%s needs the environment variable %s, which is not set", what, name)
		}
		d.resolved(what, name, s)
		return s
	})
}

func (d *decoder) duration(k *Key, at Position, s string) time.Duration {
	t, err := time.ParseDuration(s)
	if err != nil || t < time.Millisecond || t > 24*time.Hour {
		d.fail(at, "%s must be a duration from 1ms to 24h such as 250ms or 5s, got %q", k.Path, s)
	}
	return t
}

// maxBytes bounds every size.
const maxBytes = 1 << 40

var size = regexp.MustCompile(`^([0-9]{1,12})(KiB|MiB|GiB)?$`)

// ParseBytes reads a size, -1 where it is none.
func ParseBytes(s string) int64 {
	m := size.FindStringSubmatch(s)
	if m == nil {
		return -1
	}
	n, _ := strconv.ParseInt(m[1], 10, 64) // at most twelve digits
	unit := map[string]int64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[m[2]]
	return min(n, maxBytes/unit+1) * unit
}

// FormatBytes writes a size as [ParseBytes] reads it, in the largest unit that it
// is a multiple of.
func FormatBytes(n int64) string {
	for _, unit := range []struct {
		name  string
		bytes int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= unit.bytes && n%unit.bytes == 0 {
			return strconv.FormatInt(n/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(n, 10)
}

func (d *decoder) bytes(k *Key, at Position, s string) int64 {
	n, least, most := ParseBytes(s), int64(1), int64(maxBytes)
	bounds := ""
	if k.Min != "" {
		least, bounds = ParseBytes(k.Min), bounds+", "+k.Min+" at least"
	}
	if k.Max != "" {
		most, bounds = ParseBytes(k.Max), bounds+", "+k.Max+" at most"
	}
	if n < least || n > most {
		d.fail(at, "%s must be a number of bytes such as 65536 or 16MiB%s, got %q", k.Path, bounds, s)
	}
	return n
}

func (d *decoder) number(k *Key, at Position, s string) float64 {
	most, err := strconv.ParseFloat(k.Max, 64)
	bounds := " and at most " + k.Max
	if err != nil {
		most, bounds = math.MaxFloat64, ""
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f > 0 && f <= most) {
		d.fail(at, "%s must be a number above 0%s, got %q", k.Path, bounds, s)
	}
	return f
}

func (d *decoder) count(k *Key, at Position, s string) int {
	least, _ := strconv.Atoi(k.Min)
	most, err := strconv.Atoi(k.Max)
	bounds := fmt.Sprintf("from %d to %d", least, most)
	if err != nil {
		most, bounds = math.MaxInt, fmt.Sprintf("of %d at least", least)
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		d.fail(at, "%s must be a number %s, got %q", k.Path, bounds, s)
	}
	return n
}

// Signals lists those that a value of the kind Signal may name.
func Signals() []string {
	return []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGKILL"}
}

func (d *decoder) signal(k *Key, at Position, s string) string {
	name := strings.ToUpper(s)
	if !strings.HasPrefix(name, "SIG") {
		name = "SIG" + name
	}
	if !slices.Contains(Signals(), name) {
		d.fail(at, "%s must be one of %s, got %q", k.Path, strings.Join(Signals(), ", "), s)
	}
	return name
}

func (d *decoder) names(k *Key, v value) []string {
	if v.form != list || k.Min != "" && len(v.items) == 0 {
		such := ""
		if k.Min != "" && len(k.Words) > 0 {
			such = ", such as [" + k.Words[0] + "]"
		}
		d.fail(v.position, "%s must be a list of %s%s", k.Path, k.Items, such)
		return nil
	}
	var out []string
	for _, item := range v.items {
		word := d.text(k.Path, item)
		switch {
		case len(k.Words) > 0 && !slices.Contains(k.Words, word):
			d.fail(item.position, "%s: unknown %s `%s`%s; expected one of %s", k.Path, k.Item, word, suggest(word, k.Words), strings.Join(k.Words, ", "))
		case k.Min != "" && slices.Contains(out, word):
			d.fail(item.position, "%s: %s stands twice", k.Path, word)
		}
		out = append(out, word)
	}
	return out
}

// mapping reports whether a value is a mapping or empty.
func (d *decoder) mapping(k *Key, v value) bool {
	if v.form == mapping || v.form == nothing {
		return true
	}
	d.fail(v.position, "`%s` must be a mapping of keys to values", k.Path)
	return false
}

func (d *decoder) headers(k *Key, v value) map[string]string {
	out := map[string]string{}
	if !d.mapping(k, v) {
		return out
	}
	for _, p := range v.pairs {
		if !httpguts.ValidHeaderFieldName(p.key) {
			d.fail(p.position, "%s: %q is not a header name", k.Path, p.key)
		}
		s := d.text(k.Path+"."+p.key, p.value)
		if !httpguts.ValidHeaderFieldValue(s) {
			d.fail(p.value.position, "%s.%s: the value holds a character that a header can't carry", k.Path, p.key)
		}
		out[http.CanonicalHeaderKey(p.key)] = s
	}
	return out
}

func (d *decoder) environment(k *Key, v value) []string {
	var out []string
	if !d.mapping(k, v) {
		return out
	}
	for _, p := range v.pairs {
		s := d.text(k.Path+"."+p.key, p.value)
		if p.key == "" || strings.ContainsAny(p.key, "=\x00") || strings.Contains(s, "\x00") {
			d.fail(p.position, "%s: %q can't be set; expected a name without = and a value without NUL", k.Path, p.key)
		}
		out = append(out, p.key+"="+s)
	}
	sort.Strings(out)
	return out
}

func (d *decoder) command(k *Key, v value) []string {
	if v.form != list {
		s := d.text(k.Path, v)
		if strings.TrimSpace(s) == "" {
			d.fail(v.position, "%s must be a list of the program and its arguments, or a text for the shell; got nothing", k.Path)
			return nil
		}
		if runtime.GOOS == "windows" {
			return []string{"cmd", "/d", "/c", s}
		}
		return []string{"/bin/sh", "-c", s}
	}
	var out []string
	for _, item := range v.items {
		out = append(out, d.text(k.Path, item))
	}
	if len(out) == 0 || out[0] == "" {
		d.fail(v.position, "%s must begin with a program, got nothing", k.Path)
	}
	return out
}

// url checks a URL in which a placeholder may replace the port; it isn't a valid URL before the replacement.
func (d *decoder) url(k *Key, at Position, s string) {
	filled := s
	if k.Placeholder != "" {
		filled = strings.ReplaceAll(s, k.Placeholder, "80")
	}
	if _, err := ParseURL(filled); err != nil {
		d.fail(at, "%s: %v", k.Path, err)
	}
}

// ParseURL reads an http or https URL with a host.
func ParseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL", s)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q must begin with http:// or https:// and name a host", s)
	}
	return u, nil
}

// ParseBase reads a URL that paths can be added to.
func ParseBase(s string) (*url.URL, error) {
	u, err := ParseURL(s)
	if err != nil {
		return nil, err
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q must have no query and no fragment", s)
	}
	return u, nil
}
