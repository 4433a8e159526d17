// Package release finds the versions of a pack: a working copy, a git revision, which is read with git archive and never
// checked out, and what was released, an archive in spec/<pack>/releases. It also writes these archives.
//
// A version is a file system with the folders spec, schemas, features and golden, as the root of the repository has them.
// A release holds those of one pack, and the sample servers that were certified for it.
//
// The package doesn't compare versions, and doesn't say what a version number must be. It may import the standard library
// and golang.org/x/mod/semver.
package release
