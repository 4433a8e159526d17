// Package ledger compares what the scenarios of one run saw: an id that two of them got, and what belongs to one and
// came to another. No scenario can see either by itself. It keeps hashes and numbers, in a bounded space, and no exchange.
package ledger
