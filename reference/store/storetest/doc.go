// Package storetest contains the contract that every store keeps, as tests that a store runs.
//
//	func TestContract(t *testing.T) {
//		storetest.Run(t, func(*testing.T) store.Store { return new(store.Memory) })
//	}
//
// A test uses a store through its interface alone and never waits for time to pass: what a method has stored when it
// returns is ready for every subscription. Limits, numbering and what outlives a process belong to each store, and have
// separate tests.
package storetest
