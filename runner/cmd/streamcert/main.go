// Command streamcert certifies that an agent server streams the way its protocol
// says it must. Its commands are in package command.
package main

import "github.com/streamcert/streamcert/runner/cmd/command"

func main() { command.Main() }
