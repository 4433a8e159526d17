package listed

import (
	"encoding/json"
	"fmt"
)

// Servers describes the servers that differ from the reference on purpose: their code is in streamcert-lab, and pages,
// explanations and completions name them. `make readme` writes it, and a test compares it with the catalogues.
type Servers struct {
	Mutants  []Mutant  `json:"mutants"`
	Variants []Variant `json:"variants"`
	Idle     []string  `json:"idle"` // names
}

// Mutant describes a server that breaks one requirement.
type Mutant struct {
	Name        string   `json:"name"`
	Requirement string   `json:"requirement"`
	Summary     string   `json:"summary"`        // the bug, in a sentence
	Also        []string `json:"also,omitempty"` // ids of requirements that it breaks by necessity
}

// Variant describes a correct server that differs from the reference.
type Variant struct {
	Name    string   `json:"name"`
	Freedom string   `json:"freedom"`         // the part of the spec that allows its difference
	Summary string   `json:"summary"`         // its difference, in a sentence
	Warns   []string `json:"warns,omitempty"` // ids of the SHOULDs that it doesn't follow
}

// Read reads the JSON form of Servers.
func Read(text []byte) (Servers, error) {
	var a Servers
	if err := json.Unmarshal(text, &a); err != nil {
		return a, fmt.Errorf("reading the list of altered servers: %w", err)
	}
	return a, nil
}
