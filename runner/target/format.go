package target

import (
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/target/config"
)

// Prefix is the prefix of environment variables that set keys: STREAMCERT_TIMING_DEADLINE sets timing.deadline.
const Prefix = "STREAMCERT_"

// Format lists the sections and names that are valid in a config.
type Format struct {
	Sections     []Section // of the packs
	Capabilities []string  // that `without` may name; nil for any
	Packs        []string  // that `packs` may name; nil for any
}

// Environment is the source of a config's variables.
type Environment struct {
	Lookup    func(name string) (string, bool) // of ${NAME} in values
	Variables []string                         // all of them, as NAME=value
}

// Process returns the environment of this process.
func Process() Environment { return Environment{os.LookupEnv, os.Environ()} }

// Keys returns all keys of a config, for an explanation of them.
func (f Format) Keys() []*config.Key { return f.bind(&Config{}, map[string]any{}) }

// bind returns all keys of a config: reading sets the fields of c, and those of a
// section for each pack.
func (f Format) bind(c *Config, sections map[string]any) []*config.Key {
	keys := config.Keys(c)
	config.Find(keys, "without").Words = f.Capabilities
	config.Find(keys, "packs").Words = f.Packs
	routes := config.Find(keys, "routes")
	own := slices.Index(keys, config.Find(keys, "tls")) // the sections of packs come before it
	for _, s := range f.Sections {
		for _, r := range s.Routes {
			routes.Keys = append(routes.Keys, r.key(c))
		}
		if s.New == nil {
			continue
		}
		v := s.New()
		sections[s.Name] = v
		keys = slices.Insert(keys, own, config.Named(s.Name, s.Doc, v))
		own++
	}
	routes.Keys = append(routes.Keys, ControlPrefix().key(c))
	return keys
}

// key returns the key of a route, which sets it in a config.
func (r Route) key(c *Config) *config.Key {
	return &config.Key{
		Name: r.Name, Path: "routes." + r.Name, Kind: config.Route, Default: r.Template, Placeholder: r.Placeholder, Doc: r.Doc,
		Set: func(v any) {
			if c.Routes == nil {
				c.Routes = map[string]string{}
			}
			path := v.(string)
			if r.Name == ControlPrefix().Name {
				path = strings.TrimSuffix(path, "/")
			}
			c.Routes[r.Name] = path
		},
	}
}

// Read reads a YAML config and the environment variables that override it. name is used in errors; relative paths in the
// file begin at its folder. Files that the config names are checked. Errors are of type *[ConfigError].
func (f Format) Read(name string, src []byte, env Environment) (Config, error) {
	var c Config
	sections := map[string]any{}
	named := map[string]string{} // replacements of values in messages
	keys := f.bind(&c, sections)
	c.noting(keys)
	pathValues, err := config.Read(keys, config.Input{
		File: name, Text: src, Lookup: env.Lookup, Variables: env.Variables, Prefix: Prefix, Ignored: isIgnored,
		Resolved: func(path, variable, value string) {
			if value != "" && secretKey(keys, path) {
				c.Secrets = append(c.Secrets, value)
			}
			if !strings.HasPrefix(variable, Prefix) {
				named[value] = "${" + variable + "}"
			}
		},
	})
	if err != nil {
		return Config{}, c.naming(err, named)
	}
	for _, s := range f.Sections {
		if s.New != nil && pathValues.Has(s.Name) {
			c.Sections = append(c.Sections, reflect.ValueOf(sections[s.Name]).Elem().Interface())
		}
	}
	if err := c.validate(pathValues); err != nil {
		return Config{}, c.naming(err, named)
	}
	return c, nil
}

// ReadFile reads a config from disk and from the environment of this process;
// without a path, from the environment alone.
func (f Format) ReadFile(path string) (Config, error) {
	if path == "" {
		return f.Read("the environment", nil, Process())
	}
	src, err := config.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	return f.Read(path, src, Process())
}

// isIgnored reports which variables with our prefix are of the tests of this module
// and mean no key.
func isIgnored(name string) bool {
	switch name {
	case Prefix + "SOAK", Prefix + "SEED", Prefix + "LAUNCH_ROLE":
		return true
	}
	return strings.HasPrefix(name, Prefix+"TEST_") || strings.HasPrefix(name, Prefix+"REQUIRE_")
}
