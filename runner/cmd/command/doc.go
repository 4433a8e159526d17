// Package command contains the commands of the programs streamcert and streamcert-lab.
//
// It turns flags into calls and errors into one line and an exit code: 0 for success, 1 for a broken rule, 2 for a mistake
// in the call or the config, 3 when it could not find out. Everything else is in the packages that it joins; it and package
// lab are the only ones that may import both runner and reference.
package command
