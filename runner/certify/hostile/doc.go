// Package hostile holds the tests of certify against servers that mean harm: each run must end soon and small, with a
// verdict that says what happened.
//
// It is for tests only, a package of its own because they take long. It refuses to export anything.
package hostile
