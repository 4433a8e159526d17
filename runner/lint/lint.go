package lint

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/spec"
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

// Problem is one inconsistency of the kit.
type Problem struct {
	File    string `json:"file"` // from the root of the kit: a file, or the folder of a package
	Line    int    `json:"line"` // from 1; 0 for the complete file
	Message string `json:"message"`
	Check   string `json:"-"` // name of the check that found it
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// Report counts the files that were read and lists their problems.
type Report struct {
	Requirements int // of all roles, tombstones included
	Scenarios    int
	Rows         int // of outlines, one for each other scenario
	Mutants      int
	Untestable   int       // requirements that say so
	Sources      int       // Go files that were read; 0 if the sources aren't known
	Problems     []Problem // by file, line and message; each once
}

// Run does all checks.
func Run(in Input) Report {
	t := load(in)
	for _, check := range []func(*tree){
		links, packFolders, rooms,
		ruleIDs, levelTags, otherTags, capabilityTags, transcriptTags,
		scenarioShapes, descriptions, titles,
		vocabulary, definitions, fixtures, modelled,
		schemaFiles, schemaIDs, judgedIDs, typesShown,
		proven, mutants, variants, accepted, idleServers, goldens,
		checkReference, checkJudge, mentioned, samples, readers, guesses, numbers, tables, wording, freedoms,
		actors, wire, diagrams,
	} {
		check(t)
	}
	r := Report{Mutants: len(in.Mutants), Sources: t.code.Files, Problems: t.problems}
	if t.book != nil {
		r.Requirements = len(t.book.Requirements)
		for _, q := range t.book.Requirements {
			if q.Untestable != "" {
				r.Untestable++
			}
		}
	}
	for _, p := range t.packs {
		r.Scenarios += len(p.scenarios)
		for _, sc := range p.scenarios {
			r.Rows += len(sc.Rows)
		}
	}
	slices.SortFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	r.Problems = slices.Compact(r.Problems)
	return r
}

// unprovable returns why a verdict on a requirement can't exist; "" if it can.
func unprovable(q spec.Requirement) string {
	switch {
	case q.Withdrawn != "":
		return "is withdrawn"
	case q.Role != spec.RoleServer:
		return "is for the role " + q.Role
	case q.Untestable != "":
		return "says that it is untestable"
	}
	return ""
}
