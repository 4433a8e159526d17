// Command streamcert certifies that an agent server streams the way its protocol
// says it must.
//
// Its commands are in package command. The broken servers that the suite is proven on are in streamcert-lab: this program
// reaches none of them, which a test of its imports holds.
package main
