package lint

import (
	"io/fs"

	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/steps"
)

// Input is the data that lint checks. The file systems are rooted at the folders of the same names.
type Input struct {
	Spec, Schemas, Features, Golden fs.FS
	Sources                         trace.Sources // the checks of code are left out where they aren't known
	Packs                           []Pack
	Mutants                         []Mutant
	Variants                        []Variant
	Idle                            []IdleServer
}

// Pack is a protocol that the runner knows.
type Pack struct {
	Name        string
	Served      bool               // its servers are listed: the reference and those of its catalogues
	Judged      []string           // ids of the requirements that its judge names
	Definitions []steps.Definition // its vocabulary; packs share some
	Fixtures    []steps.Fixture    // that show of its Thens that they can fail
	Model       Model              // that its campaigns compare with; the zero value if it has none
}

// Mutant is a broken server of the catalogue.
type Mutant struct {
	Pack        string // whose server is broken; names are unique within a pack
	Name        string
	Requirement string   // id of the requirement that it breaks
	Also        []string // ids of those that it breaks by necessity
}

// Variant is a server of the catalogue that is right in its way.
type Variant struct {
	Pack    string // whose server it is
	Name    string
	Freedom string   // id of the requirement that allows it, or the first cell of a row of a rationale
	Warns   []string // ids of the SHOULDs that it doesn't follow
}

// IdleServer is a server of the catalogue that never shows some subjects.
type IdleServer struct {
	Pack  string // whose server it is
	Name  string
	Never []string // ids, or globs of them, of the requirements whose subject it never shows
}

// Model lists the requirements that the campaigns of a pack check.
type Model struct {
	Chapters []string          // that it plays
	Checked  []string          // ids of the requirements that it checks
	Unheld   map[string]string // ids of those of its chapters that it doesn't check, with the reason
}
