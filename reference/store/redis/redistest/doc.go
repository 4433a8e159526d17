// Package redistest runs a Redis of a test's own, on a free port and in a folder of its own, and ends it with the test.
//
// It runs the redis-server of the machine and never a stand-in. Where there is none, the test is skipped; with
// STREAMCERT_REQUIRE_REDIS=1 in the environment it fails.
package redistest
