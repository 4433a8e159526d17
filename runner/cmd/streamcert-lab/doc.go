// Command streamcert-lab is streamcert with commands for maintainers of a suite: the broken servers that test it, the
// correct ones that differ, lint, goldens and releases. Its commands are in packages command and lab.
package main
