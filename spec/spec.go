package spec

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// FS is the specification as it was when the binary was built, rooted at the folder spec.
//
//go:embed *.md */*.md */VERSION */releases/*
var FS embed.FS

// Level is the strength of a requirement, as RFC 2119 defines the word.
type Level string

// The five levels that a sentence may have.
const (
	Must      Level = "MUST"
	MustNot   Level = "MUST NOT"
	Should    Level = "SHOULD"
	ShouldNot Level = "SHOULD NOT"
	May       Level = "MAY"
)

// Mandatory reports whether breaking a requirement of this level is a failure.
func (l Level) Mandatory() bool { return l == Must || l == MustNot }

// Advisory reports whether breaking a requirement of this level is a warning.
func (l Level) Advisory() bool { return l == Should || l == ShouldNot }

// Tag returns the level as a feature file writes it: lower case, words joined by a hyphen, without the @.
func (l Level) Tag() string { return strings.ReplaceAll(strings.ToLower(string(l)), " ", "-") }

// The roles of a requirement: who has to satisfy it.
const (
	RoleServer = "server" // the default
	RoleReader = "reader" // a client; server reports leave these out
	RoleKit    = "kit"    // the adapter of the control binding
)

// The tiers, lowest first: what a target has to offer before a requirement can be proven.
const (
	TierObserve    = "observe"
	TierModelled   = "modelled"
	TierScripted   = "scripted"
	TierLaunched   = "launched"
	TierReplicated = "replicated"
)

// Requirement is one block of a chapter.
type Requirement struct {
	ID           string // pack.chapter.slug
	Pack         string
	Chapter      string
	Slug         string
	Level        Level
	Sentence     string   // one line of Markdown, with exactly one RFC 2119 keyword
	Why          string   // the prose after the attributes, Markdown, as written
	Capabilities []string // all of them must be claimed for the requirement to apply; nil for none
	Tier         string   // lowest tier that can prove it; empty unless Role is RoleServer
	Role         string   // RoleServer, RoleReader or RoleKit
	Origin       []string // inventory rules, conflicts, decisions and questions it comes from
	Freedoms     []string // ids of the SHOULDs and MAYs, or rows of the rationale: a server that uses one may show nothing of it
	Untestable   string   // why it can't be tested from outside; empty for nearly all
	Withdrawn    string   // why it no longer contains; the id stays taken
	File         string   // path inside the specification, such as "<pack>/7-resume.md"
	Line         int      // 1-based line of the heading
}

// Testable reports whether a verdict on a server can exist: the requirement is about servers, in force, and not
// marked untestable.
func (r Requirement) Testable() bool {
	return r.Role == RoleServer && r.Untestable == "" && r.Withdrawn == ""
}

// Route is a request that a protocol defines.
type Route struct {
	Name   string // in configurations
	Method string
	Path   string // the default, with parameters in braces
}

// Role is a party that the sentences of a pack bind, by the word that is their subject.
type Role struct {
	Name    string
	Meaning string
}

// Capability is one thing that a target may declare absent.
type Capability struct {
	Name    string
	Meaning string
}

// Class is a certificate that a target can earn.
type Class struct {
	Name         string
	Chapters     []string // chapters it covers, those of included classes first
	Capabilities []string // capabilities that the target has to claim, those of included classes first
	// Requirements are the ids that have to pass: every testable MUST and MUST NOT of the chapters whose
	// capabilities all belong to the class.
	Requirements []string
	// Conditional are the other testable MUSTs of the chapters, those that need a capability beyond the class.
	// They may be not claimed or unprovable, but one that fails denies the class.
	Conditional []string
}

// ID returns the name in lower case with a hyphen for each space, such as ui-stream, so that a shell and a list of words
// can carry it. No two classes of a pack share one.
func (c Class) ID() string { return strings.ReplaceAll(strings.ToLower(c.Name), " ", "-") }

// Chapter is one file of normative text.
type Chapter struct {
	Name   string // as in an id
	Number int    // from the file name; 0 when it has none
	Title  string // text of the first heading
	File   string // path inside the specification
}

// Link is a link that leaves the specification, such as one to a schema. Lint knows whether the target exists.
type Link struct {
	File   string // path inside the specification of the file that contains the link
	Line   int
	Target string // slash-separated path relative to the parent of the specification's folder, without a fragment
}

// Book is the complete specification. Use it read-only; it is safe for concurrent use.
type Book struct {
	Requirements []Requirement // by pack, then chapter in the order of the files, then position
	Links        []Link        // links to files outside the specification, in the order of files and lines

	byID  map[string]int
	packs []pack
}

// Problem is something wrong with the text.
type Problem struct {
	File    string // path inside the specification
	Line    int    // 1-based; 0 when the problem concerns the complete file
	Message string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// Get returns the requirement with this id.
func (b *Book) Get(id string) (Requirement, bool) {
	i, ok := b.byID[id]
	if !ok {
		return Requirement{}, false
	}
	return b.Requirements[i], true
}

// Packs lists the names of the protocols, sorted.
func (b *Book) Packs() []string {
	names := make([]string, 0, len(b.packs))
	for _, p := range b.packs {
		names = append(names, p.name)
	}
	return names
}

// Version returns the version of one protocol from its VERSION, "" if there is no such pack or it has none.
func (b *Book) Version(pack string) string {
	if p := b.pack(pack); p != nil {
		return p.version
	}
	return ""
}

// Pack returns the requirements of one protocol in the order of its chapters, nil if there is no such pack.
func (b *Book) Pack(name string) []Requirement {
	var out []Requirement
	for _, r := range b.Requirements {
		if r.Pack == name {
			out = append(out, r)
		}
	}
	return out
}

// Roles lists the parties that the sentences of a pack bind, nil if there is no such pack or its index lists none.
func (b *Book) Roles(pack string) []Role {
	if p := b.pack(pack); p != nil {
		return slices.Clone(p.roles)
	}
	return nil
}

// Capabilities lists what a target of this pack may declare absent, nil if there is no such pack.
func (b *Book) Capabilities(pack string) []Capability {
	if p := b.pack(pack); p != nil {
		return slices.Clone(p.capabilities)
	}
	return nil
}

// Chapters lists the chapters of a pack: numbered ones first, by number, then the others by name.
func (b *Book) Chapters(pack string) []Chapter {
	if p := b.pack(pack); p != nil {
		return slices.Clone(p.chapters)
	}
	return nil
}

// Classes lists the certificates of a pack, the smallest first, nil if there is no such pack.
func (b *Book) Classes(pack string) []Class {
	if p := b.pack(pack); p != nil {
		return slices.Clone(p.classes)
	}
	return nil
}

// Routes lists the certified requests of a pack with their default paths, in the order of its index, nil if it has none.
func (b *Book) Routes(pack string) []Route {
	if p := b.pack(pack); p != nil {
		return slices.Clone(p.routes)
	}
	return nil
}

func (b *Book) pack(name string) *pack {
	for i := range b.packs {
		if b.packs[i].name == name {
			return &b.packs[i]
		}
	}
	return nil
}

// Index writes a table of Markdown with a row for each requirement of a pack, in the order of Pack, with links that are
// relative to the pack's folder.
func (b *Book) Index(pack string) string {
	var out strings.Builder
	out.WriteString("| requirement | level | binds | tier | capabilities |\n|---|---|---|---|---|\n")
	for _, q := range b.Pack(pack) {
		level := "`" + string(q.Level) + "`"
		if q.Withdrawn != "" {
			level = "withdrawn"
		}
		fmt.Fprintf(&out, "| [`%s`](%s#%s) | %s | %s | %s | %s |\n", q.ID, path.Base(q.File), anchor(q.ID), level, q.Role, q.Tier, strings.Join(q.Capabilities, ", "))
	}
	return out.String()
}
