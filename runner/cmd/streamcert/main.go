package main

import "github.com/streamcert/streamcert/runner/cmd/command"

func main() { command.Main(command.Program{Name: "streamcert"}) }
