// Package site generates pages of the specification: static HTML that needs no network and no framework, works from a disk
// as from a server, and without scripts lacks only the search and the playground.
//
// [Build] reads the packs and returns the files of the site, [Files.Write] writes them into a folder. Each chapter is a
// page, each requirement a section of it whose anchor is its id, with all that the kit knows about it: the scenarios, the
// mutants and variants, the schemas, the lines of code that implement and check it, and its rationale. Other pages are
// tables of the members of all schemas, the sentences of the feature files, the coverage of requirements, a page a version,
// and a playground that judges a recording in the browser by the same code as `streamcert check`. Schemas, OpenAPI and
// AsyncAPI are for programs.
//
// Addresses never change: a chapter is <pack>/<chapter>.html, a requirement its id after the #.
//
// It reads only its arguments, and knows no pack by name. It may import runner/pack, runner/describe, runner/explain,
// runner/prove, runner/trace, runner/vocabulary, spec, schemas, features, golden, the packages below it, and goldmark.
package site
