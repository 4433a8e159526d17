// Package restart ends a server inside its process as a kill would end a process, and starts it again with its stored data.
//
// The server's memory is lost: requests in flight get no answer, their connections break, and their remaining writes are
// not made. The disk, a store.Memory, survives. So mutants that lose data at a restart show it on every machine; a real
// kill of a process is tested elsewhere. Two servers may run concurrently over one disk.
package restart
