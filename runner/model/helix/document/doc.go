// Package document compares snapshots of this protocol, and the JSON values in them, with what was written.
//
// A [Page] is a snapshot as far as the models of streams and of runs compare it. [Differs] compares the payload of a chunk with
// the one that came, and names the requirement that the first difference breaks; [Equal] compares values of which the caller
// knows the requirement.
//
// The package decides nothing by itself: which chunks a snapshot has to hold is known to the models, packages stream and run.
package document
