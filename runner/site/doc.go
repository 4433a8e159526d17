// Package site makes pages of the specification: static HTML that needs no network and no framework, works from a disk as
// it does from a server, and without scripts lacks the search and the playground only.
//
// [Build] reads the packs and gives the files of the site, [Files.Write] writes them into a folder. Each chapter is a
// page, each requirement a section of it whose anchor is its id, with everything that the kit knows of it: the scenarios,
// the mutants and variants, the schemas, the lines of code that keep and check it, and the rationale behind it. Beside the
// chapters there are tables of the members of all schemas, the sentences of the feature files, a page that says what covers
// which requirement, a page a version, and a playground that judges a recording in the browser by the same code as
// `streamcert check`.
//
// Addresses never change: a chapter is <pack>/<chapter>.html, a requirement its id behind the #.
//
// It refuses to read anything but what it is given, and knows no pack by name. It may import runner/pack, runner/explain,
// runner/prove, runner/trace, runner/vocabulary, spec, schemas, features, golden, the packages below it, and goldmark.
package site
