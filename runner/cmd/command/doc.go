// Package command contains the commands of the programs streamcert and streamcert-lab.
//
// It turns flags into calls and errors into one line and an exit code: 0 for success, 1 for a broken rule, 2 for a mistake
// in the call or the config, 3 when it could not find out. Everything else is in the packages that it joins; it and package
// lab are the only ones that may import both runner and reference.
//
// # Files, in reading order
//
//   - program.go, main.go, root.go, exit.go, version.go: the programs, their start and their exit codes
//   - aim.go, launched.go, modelled.go, embedded.go, servers.go, listen.go: the server of a call
//   - packs.go, select.go, classes.go, baseline.go, variant.go: flags that several commands have
//   - certify.go, rerun.go, probe.go, verify.go, compare.go: running, and reports of runs
//   - recording.go, capture.go, check.go, observe.go, view.go: recordings and live streams
//   - explain.go, sources.go, spec.go, steps.go, diff.go, diff_servers.go: the spec and its changes
//   - init.go, init_short.go, serve.go, completion.go, hand_over.go: other commands, and calls for the lab
//
// Invariants: a command writes results to standard output and everything else to standard error; it ends within two seconds
// of the first interrupt or of --timeout.
package command
