// Package release finds the versions of a pack: a working copy, a git revision, which is read with git and never checked
// out, and releases, which are archives in spec/<pack>/releases. It also writes these archives.
//
// A version is a file system with the folders spec, schemas, features and golden, as the root of the repository has them. A
// release contains those of one pack, and the sample servers that were certified for it.
//
// The package doesn't compare versions, and doesn't define version numbers. It may import the standard library and
// golang.org/x/mod/semver.
package release
