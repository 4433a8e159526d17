// Package redistest runs a separate Redis for a test, on a free port and in a new folder, and ends it with the test.
//
// It runs the redis-server of the machine and never a stand-in. If there is none, the test is skipped; with
// STREAMCERT_REQUIRE_REDIS=1 in the environment it fails.
package redistest
