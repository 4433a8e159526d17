// Package crosscheck compares the exchanges of the scenarios of one run: it finds an id that two of them got, and content of
// one that reached another. No single scenario shows either. It stores hashes and numbers, in a bounded memory, and no
// exchange.
package crosscheck
