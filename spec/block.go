package spec

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// attributes that a block may carry, each at most once.
const (
	attrCapability = "capability"
	attrTier       = "tier"
	attrOrigin     = "origin"
	attrRole       = "role"
	attrFreedom    = "freedom"
	attrUntestable = "untestable"
	attrWithdrawn  = "withdrawn"
)

// chapterParser reads the blocks of one chapter.
type chapterParser struct {
	doc          *document
	pack         string
	chapter      string
	capabilities []Capability

	requirements []Requirement
	problems     []Problem
}

func (p *chapterParser) problem(n ast.Node, format string, args ...any) {
	p.problems = append(p.problems, p.doc.problem(n, format, args...))
}

func (p *chapterParser) parse() {
	for n := p.doc.root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 4 {
				p.block(n)
			}
		case *ast.Blockquote:
			if !isBlockSentence(n) {
				p.problem(n, "a quotation that does not follow an id: the heading of a requirement has level four and nothing stands between the two")
			}
		}
	}
}

// isBlockSentence reports whether a quotation is the sentence of a block.
func isBlockSentence(n ast.Node) bool {
	h, ok := n.PreviousSibling().(*ast.Heading)
	return ok && n.Kind() == ast.KindBlockquote && h.Level == 4
}

func (p *chapterParser) block(h *ast.Heading) {
	r := Requirement{
		ID: p.doc.text(h), Pack: p.pack, Chapter: p.chapter, Role: RoleServer,
		File: p.doc.file, Line: p.doc.lineOf(h),
	}
	if !validID(r.ID) {
		p.problem(h, "%q is no id: expected pack.chapter.slug in lower-case letters, digits and hyphens", r.ID)
		return
	}
	parts := strings.Split(r.ID, ".")
	r.Slug = parts[2]
	if parts[0] != p.pack || parts[1] != p.chapter {
		p.problem(h, "%s does not belong here: this file holds %s.%s.*", r.ID, p.pack, p.chapter)
	}

	quote := h.NextSibling()
	if quote == nil || !isBlockSentence(quote) {
		p.problem(h, "%s has no sentence: expected a quotation after the heading", r.ID)
		return
	}
	p.sentence(&r, quote)

	last := quote
	if next := quote.NextSibling(); next != nil && p.isAttributes(next) {
		p.attributes(&r, next)
		last = next
	}
	r.Why = p.prose(last)
	if r.Why == "" {
		p.problem(h, "%s has no prose that says what the reader sees and why", r.ID)
	}
	p.complete(h, r)
	p.requirements = append(p.requirements, r)
}

func validID(id string) bool {
	parts := strings.Split(id, ".")
	if len(parts) != 3 {
		return false
	}
	for _, part := range parts {
		if part == "" || strings.Trim(part, "-") != part {
			return false
		}
		for _, c := range part {
			if c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}

func (p *chapterParser) sentence(r *Requirement, quote ast.Node) {
	paragraph := quote.FirstChild()
	if paragraph == nil || paragraph.Kind() != ast.KindParagraph || paragraph.NextSibling() != nil {
		p.problem(quote, "%s: the quotation must hold one paragraph", r.ID)
		return
	}
	r.Sentence = p.doc.raw(paragraph)
	if !strings.HasSuffix(r.Sentence, ".") {
		p.problem(quote, "%s: the sentence does not end with a full stop", r.ID)
	}
	found := keywords(p.doc.prosaic(paragraph))
	if len(found) != 1 {
		p.problem(quote, "%s: the sentence has %d RFC 2119 keywords, expected exactly one", r.ID, len(found))
		return
	}
	r.Level = Level(found[0])
	if !r.Level.Mandatory() && !r.Level.Advisory() && r.Level != May {
		p.problem(quote, "%s: %s is not one of MUST, MUST NOT, SHOULD, SHOULD NOT, MAY", r.ID, r.Level)
	}
}

// isAttributes reports whether a paragraph consists of code spans separated by middle dots.
func (p *chapterParser) isAttributes(n ast.Node) bool {
	if n.Kind() != ast.KindParagraph {
		return false
	}
	spans := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.CodeSpan:
			spans++
		case *ast.Text:
			if s := strings.TrimSpace(string(c.Segment.Value(p.doc.source))); strings.Trim(s, "· ") != "" {
				return false
			}
		default:
			return false
		}
	}
	return spans > 0
}

func (p *chapterParser) attributes(r *Requirement, n ast.Node) {
	seen := map[string]bool{}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() != ast.KindCodeSpan {
			continue
		}
		name, value, found := strings.Cut(p.doc.text(c), ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !found || value == "":
			p.problem(c, "%s: attribute %q has no value", r.ID, name)
			continue
		case seen[name]:
			p.problem(c, "%s: attribute %q stands twice", r.ID, name)
			continue
		}
		seen[name] = true
		p.attribute(r, c, name, value)
	}
}

func (p *chapterParser) attribute(r *Requirement, n ast.Node, name, value string) {
	switch name {
	case attrCapability:
		r.Capabilities = list(value)
		for _, c := range r.Capabilities {
			known := slices.ContainsFunc(p.capabilities, func(k Capability) bool { return k.Name == c })
			if !known {
				p.problem(n, "%s: %q is no capability of %s", r.ID, c, p.pack)
			}
		}
	case attrTier:
		r.Tier = value
		if !slices.Contains([]string{TierObserve, TierModelled, TierScripted, TierLaunched, TierReplicated}, value) {
			p.problem(n, "%s: %q is no tier: expected observe, scripted, launched or replicated", r.ID, value)
		}
	case attrRole:
		r.Role = value
		if !slices.Contains([]string{RoleServer, RoleReader, RoleKit}, value) {
			p.problem(n, "%s: %q is no role: expected server, reader or kit", r.ID, value)
		}
	case attrOrigin:
		r.Origin = list(value)
	case attrFreedom:
		r.Freedoms = list(value)
	case attrUntestable:
		r.Untestable = value
	case attrWithdrawn:
		r.Withdrawn = value
	default:
		p.problem(n, "%s: unknown attribute %q", r.ID, name)
	}
}

// prose gives the Markdown between a node and the next heading.
func (p *chapterParser) prose(after ast.Node) string {
	start := -1
	end := len(p.doc.source)
	for n := after.NextSibling(); n != nil; n = n.NextSibling() {
		at := p.doc.starts[p.doc.lineOf(n)-1]
		if n.Kind() == ast.KindHeading {
			end = at
			break
		}
		if start < 0 {
			start = at
		}
	}
	if start < 0 {
		return ""
	}
	return strings.TrimSpace(string(p.doc.source[start:end]))
}

// complete reports what a finished block lacks.
func (p *chapterParser) complete(h *ast.Heading, r Requirement) {
	if r.Withdrawn != "" {
		return
	}
	if len(r.Origin) == 0 {
		p.problem(h, "%s has no origin", r.ID)
	}
	switch {
	case r.Role == RoleServer && r.Tier == "":
		p.problem(h, "%s has no tier", r.ID)
	case r.Role != RoleServer && r.Tier != "":
		p.problem(h, "%s is for the role %s and so has no tier", r.ID, r.Role)
	}
}
