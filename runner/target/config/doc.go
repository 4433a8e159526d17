// Package config reads a config into tagged structs: one declaration of each key,
// one strict reading of a YAML file and of the environment, one field
// for every value.
//
// The fields of a struct are its keys. Their tags contain everything about a key that
// a person reads or that a value is checked against:
//
//	key       path of the key, such as timing.deadline; for a struct, its section
//	kind      form of the value, see [Kind]; by default that of the field's type
//	doc       what the key means, without a capital and a full stop
//	default   value of a config that leaves the key out
//	example   what a starter file shows where there is no default
//	min, max  bounds, in the form of the kind; a list's least number of items
//	names     what a text must name, such as "an agent"
//	of        what the items of a list are: "capability,capabilities"
//	required  "true" for a key that its section needs
//
// A blank field with the tags key and doc explains a section that
// has no struct. A key that is in the environment comes before the same key in the file.
//
// It knows no key by name and may import nothing of this module but runner/files.
package config
