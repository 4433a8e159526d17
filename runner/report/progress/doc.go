// Package progress shows how far a command is: a bar on a terminal, and elsewhere a line every ten seconds.
package progress
