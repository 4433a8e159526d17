package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], ".", os.Stdout, os.Stderr)) }

// run runs one command in the root of a checkout, and returns the exit code: 2 for
// a wrong call, 1 for any other error.
func run(args []string, root string, out, errs io.Writer) int {
	commands := map[string]func(*release, io.Writer) error{
		"archives": (*release).archives, "npm": (*release).npm, "notes": (*release).notes,
	}
	if len(args) != 1 || commands[args[0]] == nil {
		fmt.Fprintln(errs, "usage: go run ./runner/cmd/dist archives|npm|notes")
		return 2
	}
	r, err := newRelease(root)
	if err == nil {
		err = commands[args[0]](r, out)
	}
	if err != nil {
		fmt.Fprintln(errs, "dist:", err)
		return 1
	}
	return 0
}
