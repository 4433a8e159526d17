// Package judges lists the judges of all packs that this build has, for programs that judge recordings and do nothing
// else, such as the one that runs in a browser: it imports nothing that needs a network or an operating system, which the
// values of runner/packs do. A test compares the two lists.
package judges
