// Command streamcert certifies that an agent server streams as its protocol requires.
//
// Its commands are in package command. The broken servers that test the suite are in streamcert-lab: a test of its imports
// checks that this program contains none of them.
package main
