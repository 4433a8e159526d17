package merlin

import "github.com/streamcert/streamcert/reference/alter"

// clients lists mutants that err with headers of some clients.
func clients() []Mutant {
	return []Mutant{
		{Name: "any-type-is-none", Requirement: "merlin.wire.content-type",
			Summary: "Who takes anything is told that there is nothing to take.",
			Wrap:    alter.RefusesAnyType()},
		{Name: "types-without-parameters", Requirement: "merlin.wire.content-type",
			Summary: "A body whose type has a charset is taken for one of another type.",
			Wrap:    alter.RefusesCharsets()},
		{Name: "headers-of-1-kib", Requirement: "merlin.wire.content-type",
			Summary: "A header of more than 1 KiB is refused, and a page has cookies.",
			Wrap:    alter.RefusesCookies()},
	}
}
