// Package document compares snapshots of this protocol, and the JSON values in them, with the written chunks.
//
// A [Page] is the part of a snapshot that the models of streams and of runs compare. [Differs] compares the payload of a
// chunk with the received one, and names the requirement that the first difference violates; [Equal] compares values for a
// caller that knows the requirement.
//
// The package has no rule on the content of a snapshot: the models, packages stream and run, know the chunks that it must
// show.
package document
