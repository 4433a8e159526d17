// Command dist packs what a release contains, out of the binaries that `make dist`
// puts into dist/bin/<os>_<arch>. It runs from the root of a checkout:
//
//	go run ./runner/cmd/dist archives   # dist: archives, SBOM, schemas, SHA256SUMS
//	go run ./runner/cmd/dist npm        # dist/npm: the wrapper and a package a platform
//	go run ./runner/cmd/dist notes      # the text of the release, to standard output
//
// The same binaries give the same bytes: files have one fixed time, a fixed order
// and fixed modes, and nothing is drawn or dated. It builds no binary, and it
// isn't part of a release.
package main
