// Package script writes shell commands that repeat the exchange of a finding. It refuses calls that a person couldn't read: many,
// or with a large body. Secrets become variables of the shell, and ids that the suite or the server chose are chosen anew.
package script
