// Package trace finds, for a requirement id, the lines of code that keep it in the reference server and those that hold
// servers to it in a judge.
//
// The reference names an id in a comment at the line that keeps it:
//
//	// helix.resume.no-content: the store reports that nothing is left for this cursor.
//	w.WriteHeader(http.StatusNoContent)
//
// A judge names an id in a comment, as a string, or by a constant that stands for it. [Read] parses the sources; it runs
// nothing, and what it reads is whatever it is given: the sources that the program was built from, which are embedded, or
// those of a working copy. So no index has to be generated, and none can be out of date.
//
// It refuses to know which requirements there are: lint compares the two. It imports the standard library.
package trace
