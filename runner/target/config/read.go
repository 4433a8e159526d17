package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Input is the text of a config file and the environment that overrides it.
type Input struct {
	File   string                           // name of the file, "" for none
	Text   []byte                           // its content
	Lookup func(name string) (string, bool) // value of a variable that ${NAME} in a text refers to
	// Variables are the environment variables, as NAME=value. Those that begin with Prefix set keys: PREFIX +
	// TIMING_DEADLINE sets timing.deadline.
	Variables []string
	Prefix    string // "" reads no variables
	// Resolved is called for every value that comes from the environment, before the value is parsed, with the path of
	// the key and the name of the variable. It may be nil.
	Resolved func(path, variable, value string)
	// Ignored reports which variables with the prefix don't mean a key.
	Ignored func(name string) bool
}

// Read reads a config into the fields that the keys belong to. A list of a
// variable is separated by commas; a mapping has a variable a name, such as
// PREFIX + HEADERS_X_TENANT. Errors are of type *[Error], several of them joined, a line each.
func Read(keys []*Key, in Input) (Positions, error) {
	r := &reader{keys: keys, in: in, positions: Positions{"": {File: in.File}}, written: map[string]value{}}
	r.lookup, r.resolved = in.Lookup, in.Resolved
	if r.resolved == nil {
		r.resolved = func(string, string, string) {}
	}
	docs, err := parse(in.File, in.Text)
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		r.section(&Key{Kind: Section, Keys: keys}, doc)
	}
	r.environment(keys)
	r.set(keys)
	switch len(r.mistakes) {
	case 0:
		return r.positions, nil
	case 1:
		return nil, r.mistakes[0]
	}
	return nil, errors.Join(r.mistakes[:min(len(r.mistakes), mostMistakes)]...)
}

// mostMistakes limits the mistakes in one error.
const mostMistakes = 10

// reader collects the values of the file and then of the environment, before it parses them.
type reader struct {
	decoder
	keys      []*Key           // all there are
	in        Input            // never changes
	positions Positions        // by the path of the key; "" is the file
	written   map[string]value // by the path of the key
	// mistakes are the first of each key, those of names before those of values.
	mistakes []error
}

// wrong records a mistake and continues with the next key.
func (r *reader) wrong(at Position, format string, args ...any) {
	r.mistakes = append(r.mistakes, at.Errorf(format, args...))
}

// section reads the keys of a mapping.
func (r *reader) section(k *Key, v value) {
	if v.form != mapping && v.form != nothing {
		where := "the file"
		if k.Path != "" {
			where = "`" + k.Path + "`"
		}
		r.wrong(v.position, "%s must be a mapping of keys to values; expected one of %s on a line of its own below it", where, strings.Join(namesOf(k.Keys), ", "))
		return
	}
	for _, p := range v.pairs {
		key := Find(k.Keys, p.key)
		if key == nil {
			r.wrong(p.position, "unknown key `%s`%s", p.key, r.elsewhere(k, p.key))
			continue
		}
		if r.positions.Has(key.Path) {
			r.wrong(p.position, "key `%s` stands twice", p.key)
			continue
		}
		r.positions[key.Path] = p.value.position
		if key.Kind == Section {
			r.section(key, p.value)
			continue
		}
		r.written[key.Path] = p.value
	}
}

// elsewhere returns a hint for a key that a section doesn't have: the section that has it, or the valid keys.
func (r *reader) elsewhere(section *Key, name string) string {
	names := namesOf(section.Keys)
	hint := suggest(name, names)
	if hint == "" && section.Path != "" && Find(r.keys, name) != nil {
		return fmt.Sprintf(" below `%s`; it belongs at the beginning of a line", section.Path)
	}
	for _, k := range r.keys {
		if hint == "" && section.Path == "" && Find(k.Keys, name) != nil {
			return fmt.Sprintf("; it belongs below `%s`", k.Name)
		}
	}
	return hint + "; expected one of " + strings.Join(names, ", ")
}

func namesOf(keys []*Key) []string {
	var out []string
	for _, k := range keys {
		out = append(out, k.Name)
	}
	return out
}

// set gives every key that was written its value.
func (r *reader) set(keys []*Key) {
	for _, k := range keys {
		if k.Kind == Section {
			r.set(k.Keys)
			continue
		}
		v, ok := r.written[k.Path]
		if !ok {
			continue
		}
		got := r.value(k, v)
		if r.err == nil {
			k.Set(got)
			continue
		}
		r.mistakes, r.err = append(r.mistakes, r.err), nil
	}
}

// environment overrides the values of the file by those of environment variables.
func (r *reader) environment(keys []*Key) {
	var names []string
	named := r.named()
	for _, variable := range r.in.Variables {
		name, text, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, r.in.Prefix) || r.in.Prefix == "" || r.in.Ignored != nil && r.in.Ignored(name) {
			continue
		}
		if names == nil {
			names = r.variables(keys)
		}
		// A variable that the file names has a meaning already.
		if !r.override(keys, name, text) && !named[name] {
			r.wrong(Position{Variable: name}, "no key of the config has this variable%s; rename it, or see `streamcert init` for the keys", suggest(name, names))
		}
	}
}

// named returns the variables that the file itself takes values from.
func (r *reader) named() map[string]bool {
	out := map[string]bool{}
	for _, m := range variable.FindAllStringSubmatch(string(r.in.Text), -1) {
		out[m[1]] = true
	}
	return out
}

// variables returns the names of the environment variables that set keys.
func (r *reader) variables(keys []*Key) []string {
	var out []string
	for _, k := range keys {
		if k.Kind == Section {
			out = append(out, r.variables(k.Keys)...)
			continue
		}
		out = append(out, k.Variable(r.in.Prefix))
	}
	return out
}

// Variable returns the environment variable that sets a key. For headers and an environment it ends in an underscore, and
// the name follows.
func (k *Key) Variable(prefix string) string {
	var b strings.Builder
	b.WriteString(prefix)
	for _, c := range k.Path {
		switch {
		case c == '.':
			c = '_'
		case unicode.IsUpper(c):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(c))
	}
	if k.Kind == Headers || k.Kind == Environment {
		b.WriteByte('_')
	}
	return b.String()
}

// override finds the key of a variable and takes its value. It reports whether
// there is one.
func (r *reader) override(keys []*Key, name, text string) bool {
	at := Position{Variable: name}
	for _, k := range keys {
		own := k.Variable(r.in.Prefix)
		switch {
		case k.Kind == Section:
			if !r.override(k.Keys, name, text) {
				continue
			}
			if !r.positions.Has(k.Path) {
				r.positions[k.Path] = at
			}
			return true
		case k.Kind == Headers || k.Kind == Environment:
			entry, ok := strings.CutPrefix(name, own)
			if !ok || entry == "" {
				continue
			}
			if k.Kind == Headers {
				entry = strings.ReplaceAll(entry, "_", "-")
			}
			r.written[k.Path] = r.with(k, entry, value{position: at, form: scalar, text: text})
		case name != own:
			continue
		case k.Kind == Names:
			v := value{position: at, form: list}
			for item := range strings.SplitSeq(text, ",") {
				if item = strings.TrimSpace(item); item != "" {
					v.items = append(v.items, value{position: at, form: scalar, text: item})
				}
			}
			r.written[k.Path] = v
		default:
			r.written[k.Path] = value{position: at, form: scalar, text: text}
		}
		r.positions[k.Path] = at
		return true
	}
	return false
}

// with returns a mapping with one of its entries replaced, or added.
func (r *reader) with(k *Key, name string, v value) value {
	was, ok := r.written[k.Path]
	if !ok || was.form == nothing {
		was = value{position: v.position, form: mapping}
	}
	same := func(p entry) bool { return p.key == name || k.Kind == Headers && strings.EqualFold(p.key, name) }
	was.pairs = append(slices.DeleteFunc(slices.Clone(was.pairs), same), entry{name, v.position, v})
	return was
}
