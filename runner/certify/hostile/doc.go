// Package hostile contains the tests of certify against hostile servers: each run must end soon and with little memory,
// with a verdict that describes the attack.
//
// It is for tests only, and separate because they take long. It exports nothing.
package hostile
