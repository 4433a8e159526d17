// Package lives ends a server inside of its process as a kill ends a process, and begins it again over what it had
// stored.
//
// What a life holds in memory is gone with it: requests in flight get no answer, their connections break, and what they
// were still about to store is not stored any more. The disk, a store.Memory, outlives it. So mutants that lose something
// at a restart are seen to do so on every machine; a real kill of a real process is for whoever starts one.
// Two servers may live side by side over one disk.
package lives
