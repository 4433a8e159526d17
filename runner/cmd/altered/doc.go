// Package altered lists the servers that differ from the reference on purpose: the mutants, variants and idle servers of
// every pack, each with what starts it. Each pack lists them in the folder of its name below this one.
//
// It belongs to streamcert-lab: package command and the program of users never import it. It may import the catalogues of
// the reference, package servers and runner/prove. It refuses to listen on a socket and to judge.
package altered
