// Package npmtest installs packages of npm for tests that hold the kit against public software.
//
// It is imported by tests alone, and may import runner/files.
package npmtest
