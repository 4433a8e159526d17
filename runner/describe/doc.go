// Package describe writes a protocol for programs that aren't the kit: JSON Schemas with addresses and without keywords of the
// kit, a bundle of them a profile, their examples, OpenAPI of the routes and AsyncAPI of the streams.
//
// [Files] returns the documents of a pack by their path on the site. Paths, versions and sentences are those of the
// specification, shapes those of the schemas; the manifest of the schemas has the requirement of each answer. A
// route, a requirement or a schema that one of them lacks is an error. The control binding isn't described.
//
// It may import spec and schemas, and knows no pack by name.
package describe
