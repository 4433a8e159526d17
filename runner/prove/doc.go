// Package prove tests the suite itself. Mutants, which are servers that are broken on purpose, must be found by the
// requirement that each breaks; variants, which are correct servers that differ from the reference, must pass; idle
// servers, which never show certain subjects, must pass none of these; and of generated mutants nearly all must be found.
//
// It gets servers as data and starts them by a function, so it may import runner/certify and what that may, and never
// imports the reference server.
package prove
