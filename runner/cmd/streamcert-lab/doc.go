// Command streamcert-lab is streamcert with what maintainers of a suite need: the broken servers that it is proven on, the
// right ones that differ, lint, goldens and releases. Its commands are in packages command and lab.
package main
