package config

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// Kind is the form of a value.
type Kind string

// The kinds.
const (
	Section     Kind = "section"     // keys
	Text        Kind = "text"        // any text
	Secret      Kind = "secret"      // a text that no output may show
	Name        Kind = "name"        // a text that isn't empty
	Path        Kind = "path"        // of a file or a folder; a relative one begins at the folder of the config
	URL         Kind = "url"         // http or https; the placeholder named by Placeholder may replace the port
	Base        Kind = "base"        // a URL without a query and a fragment
	Route       Kind = "route"       // the path of a URL, with the placeholder named by Placeholder
	Headers     Kind = "headers"     // names and values of HTTP headers; no output may show the values
	Names       Kind = "names"       // a list of words
	Duration    Kind = "duration"    // time.Duration, above 0 and 24 h at most
	Bytes       Kind = "bytes"       // int64, without a unit or with KiB, MiB or GiB
	Number      Kind = "number"      // float64 above 0
	Count       Kind = "count"       // int
	Switch      Kind = "switch"      // true or false
	Command     Kind = "command"     // a list of a program and its arguments, or a text for the shell
	Environment Kind = "environment" // names and values, as a sorted list of NAME=value
	Signal      Kind = "signal"      // such as SIGTERM, SIG left out or not
	Template    Kind = "template"    // JSON that contains the string named by Placeholder once
)

// Key is one key of a config, or a section of keys.
type Key struct {
	Name        string   // last part of the path
	Path        string   // such as timing.deadline
	Doc         string   // without a capital and a full stop
	Kind        Kind     // decides which of the fields below are set
	Default     string   // as it would be written; "" for none
	Example     string   // as it would be written
	Min, Max    string   // inclusive, in the unit of Kind; "" for no limit
	Names       string   // subject of an error about a missing text
	Placeholder string   // placeholder that a route or a template must contain, and a URL may
	Item        string   // an item of a list, for messages
	Items       string   // several of them
	Words       []string // that a list may hold; nil for any
	Required    bool     // its section can't be set without it
	Keys        []*Key   // of a section
	// Set takes the value that was read: string, []string, map[string]string,
	// time.Duration, int64, float64, int or bool.
	Set func(any)
}

// Shown returns the value that a starter file shows: the default, or an example.
func (k *Key) Shown() string {
	if k.Default != "" {
		return k.Default
	}
	return k.Example
}

// Find returns the key of a name among some, nil if there is none.
func Find(keys []*Key, name string) *Key {
	i := slices.IndexFunc(keys, func(k *Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return keys[i]
}

// Keys returns the keys of the tagged struct that v points to. Reading sets its fields.
func Keys(v any) []*Key {
	root := &Key{}
	root.fields("", reflect.ValueOf(v).Elem())
	return root.Keys
}

// fields adds the keys of a struct below a path.
func (k *Key) fields(below string, v reflect.Value) {
	for i := range v.NumField() {
		f, at := v.Type().Field(i), v.Field(i)
		path, ok := f.Tag.Lookup("key")
		if !ok {
			continue
		}
		if below != "" {
			path = below + "." + path
		}
		in := k
		parts := strings.Split(strings.TrimPrefix(path, below+"."), ".")
		for _, name := range parts[:len(parts)-1] {
			if in = Find(in.Keys, name); in == nil {
				panic("config: a blank field must explain the section of " + path)
			}
		}
		key := tagged(f, path)
		in.Keys = append(in.Keys, key)
		switch {
		case f.Name == "_":
			key.Kind = Section
		case key.Kind == Section && at.Kind() == reflect.Struct:
			key.fields(path, at)
		case key.Kind != Section:
			key.Set = func(value any) { at.Set(reflect.ValueOf(value)) }
		}
	}
}

// tagged returns the key that the tags of a field describe.
func tagged(f reflect.StructField, path string) *Key {
	k := &Key{
		Name: path[strings.LastIndexByte(path, '.')+1:], Path: path, Doc: f.Tag.Get("doc"), Kind: Kind(f.Tag.Get("kind")),
		Default: f.Tag.Get("default"), Example: f.Tag.Get("example"), Min: f.Tag.Get("min"), Max: f.Tag.Get("max"),
		Names: f.Tag.Get("names"), Placeholder: f.Tag.Get("holds"), Required: f.Tag.Get("required") == "true",
	}
	k.Item, k.Items, _ = strings.Cut(f.Tag.Get("of"), ",")
	if k.Kind == "" {
		k.Kind = kindOf(f.Type)
	}
	return k
}

func kindOf(t reflect.Type) Kind {
	if t == reflect.TypeFor[time.Duration]() {
		return Duration
	}
	switch t.Kind() {
	case reflect.Struct:
		return Section
	case reflect.Map:
		return Headers
	case reflect.Slice:
		return Names
	case reflect.Int64:
		return Bytes
	case reflect.Int:
		return Count
	case reflect.Float64:
		return Number
	case reflect.Bool:
		return Switch
	}
	return Text
}

// leaves calls use for every field of a tagged struct that contains the value of one key.
func leaves(v reflect.Value, use func(*Key, reflect.Value)) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		path, ok := f.Tag.Lookup("key")
		if !ok || f.Name == "_" {
			continue
		}
		key := tagged(f, path)
		switch {
		case key.Kind != Section:
			use(key, v.Field(i))
		case f.Type.Kind() == reflect.Struct:
			leaves(v.Field(i), use)
		}
	}
}

// SetDefaults gives every field of a tagged struct that has the zero value the
// default of its key. v points to the struct.
func SetDefaults(v any) {
	leaves(reflect.ValueOf(v).Elem(), func(k *Key, at reflect.Value) {
		if k.Default == "" || !at.IsZero() {
			return
		}
		d := &decoder{}
		if got := d.value(k, value{form: scalar, text: k.Default}); d.err == nil {
			at.Set(reflect.ValueOf(got))
		}
	})
}

// Secrets returns the values of a tagged struct, or of a pointer to one, that no
// output may show.
func Secrets(v any) []string {
	var out []string
	leaves(reflect.Indirect(reflect.ValueOf(v)), func(k *Key, at reflect.Value) {
		switch k.Kind {
		case Secret:
			out = append(out, at.String())
		case Headers:
			for _, value := range at.Seq2() {
				out = append(out, value.String())
			}
		}
	})
	return out
}

// Named returns a section of the keys of a tagged struct, which v points to.
func Named(name, doc string, v any) *Key {
	k := &Key{Name: name, Path: name, Kind: Section, Doc: doc}
	k.fields(name, reflect.ValueOf(v).Elem())
	return k
}
