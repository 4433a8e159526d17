package main

import (
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/cmd/lab"
)

func main() { command.Main(lab.Program()) }
