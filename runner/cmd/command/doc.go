// Package command contains the commands of the programs streamcert and streamcert-lab.
//
// It turns flags into calls and errors into one line and an exit code: 0 for success, 1 for a broken rule, 2 for a mistake
// in the call or the config, 3 when it could not find out. Everything else is in the packages that it joins; it and package
// lab are the only ones that may import both runner and reference.
//
// # Files, in reading order
//
//   - exit.go, app.go, sources.go, version.go: exit codes, and what all commands share: the state, its output, the data folders
//   - aim.go, launched.go, modelled.go, embedded.go, servers.go, listen.go: the server of a call
//   - packs.go, effort.go, baseline.go, variant.go: flags that several commands have
//   - select.go, rerun.go, certify.go, probe.go, verify.go, compare.go: running, and reports of runs
//   - recording.go, capture.go, check.go, observe.go, view.go: recordings and live streams
//   - explain.go, sources.go, spec.go, steps.go, diff.go, diff_servers.go: the spec and its changes
//   - hand_over.go, init.go, init_short.go, serve.go, completion.go: calls for the lab, and other commands
//   - root.go, main.go: the programs, which join the commands, and their start
//
// Invariants: a command writes results to standard output and everything else to standard error; it ends within two seconds
// of the first interrupt or of --timeout.
package command
