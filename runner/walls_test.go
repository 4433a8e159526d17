package runner_test

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"
)

// What a package may measure. Each limit is of one measure of [measured].
const (
	mostPackageLines = 4500 // of files that aren't tests; a function that only lists alterations doesn't count
	mostStateMethods = 40   // of one struct and of the structs that embed it, or hold nothing but it
	mostBackArrows   = 10   // between files that reach one another, per 1,000 lines; a smaller package may have as many
)

// wallsFile lists what exceeds a limit today, a line each: the measure, the package or type, and its number, which only falls.
const wallsFile = "testdata/walls.txt"

// measure is one number of a package or a type.
type measure struct{ kind, of string }

// unknownImports stands for every import: a package without declarations. What comes from other packages stays untyped, so
// that a use of this package's methods through it isn't seen.
type unknownImports struct{}

func (unknownImports) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// measured returns what exceeds the limits, and the largest number that each of these may have.
func measured(sources []source) (numbers, limits map[measure]int) {
	packages := map[string][]source{}
	for _, s := range sources {
		if !s.isTest() {
			packages[s.dir()] = append(packages[s.dir()], s)
		}
	}
	numbers, limits = map[measure]int{}, map[measure]int{}
	note := func(kind, of string, n, most int) {
		if n > most {
			numbers[measure{kind, of}], limits[measure{kind, of}] = n, most
		}
	}
	for dir, files := range packages {
		lines, counted := 0, 0
		for _, s := range files {
			n := strings.Count(string(s.text), "\n")
			lines, counted = lines+n, counted+n-listedLines(s)
		}
		note("lines", dir, counted, mostPackageLines)
		pkg, uses := typed(dir, files)
		note("arrows", dir, len(backArrows(pkg, uses, files[0].set)), max(mostBackArrows, mostBackArrows*lines/1000))
		for name, n := range stateMethods(pkg) {
			note("methods", dir+"."+name, n, mostStateMethods)
		}
	}
	return numbers, limits
}

// listedLines counts the lines of tables.
func listedLines(s source) (n int) {
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && isTable(f) {
			n += s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
		}
	}
	return n
}

// isTable reports whether a function takes nothing and returns a list of alterations: entries, which need no wall.
func isTable(f *ast.FuncDecl) bool {
	if f.Recv != nil || f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() != 1 {
		return false
	}
	list, ok := f.Type.Results.List[0].Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	of, ok := list.Elt.(*ast.Ident)
	if selected, is := list.Elt.(*ast.SelectorExpr); is {
		of, ok = selected.Sel, true
	}
	return ok && (of.Name == "Mutant" || of.Name == "Variant")
}

// typed resolves the identifiers of one package that name something of the same package.
func typed(dir string, files []source) (*types.Package, map[*ast.Ident]types.Object) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: unknownImports{}, Error: func(error) {}}
	parsed := make([]*ast.File, 0, len(files))
	for _, s := range files {
		parsed = append(parsed, s.file)
	}
	pkg, _ := config.Check(dir, files[0].set, parsed, info) // errors: what other packages declare is unknown
	return pkg, info.Uses
}

// arrow leads from a file to one that declares something which the first uses: a package-level name, a method or a field.
type arrow struct{ from, to string }

// backArrows returns the arrows between files that reach one another (of one strongly connected component): in whichever
// order such files are read, some of these lead back. Files without a cycle have none.
func backArrows(pkg *types.Package, uses map[*ast.Ident]types.Object, set *token.FileSet) []arrow {
	all := map[string]map[string]bool{}
	for id, object := range uses {
		v, isVar := object.(*types.Var)
		if object.Pkg() != pkg || isVar && !v.IsField() && object.Parent() != pkg.Scope() || !object.Pos().IsValid() {
			continue
		}
		from, to := set.Position(id.Pos()).Filename, set.Position(object.Pos()).Filename
		if from != to {
			if all[from] == nil {
				all[from] = map[string]bool{}
			}
			all[from][to] = true
		}
	}
	reached := map[string]map[string]bool{}
	for from := range all {
		seen := map[string]bool{}
		var walk func(string)
		walk = func(at string) {
			for next := range all[at] {
				if !seen[next] {
					seen[next] = true
					walk(next)
				}
			}
		}
		walk(from)
		reached[from] = seen
	}
	var out []arrow
	for from, files := range all {
		for to := range files {
			if reached[to][from] {
				out = append(out, arrow{from, to})
			}
		}
	}
	slices.SortFunc(out, func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return out
}

// stateMethods counts, by struct type, its methods and those of the structs that reach its fields: they embed it, or a
// pointer to it, or have no other field. A struct that only embeds such structs is left out: its state is theirs.
func stateMethods(pkg *types.Package) map[string]int {
	owners := map[string][]string{} // by the name of a type, the types that reach it
	methods, shows := map[string]int{}, map[string]bool{}
	for _, name := range pkg.Scope().Names() {
		named, ok := pkg.Scope().Lookup(name).Type().(*types.Named)
		if _, is := pkg.Scope().Lookup(name).(*types.TypeName); !ok || !is {
			continue
		}
		methods[name] = named.NumMethods()
		s, ok := named.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		shows[name] = s.NumFields() > 0
		for i := range s.NumFields() {
			field := s.Field(i)
			of := field.Type()
			if pointer, ok := of.(*types.Pointer); ok {
				of = pointer.Elem()
			}
			inner, ok := of.(*types.Named)
			if ok && inner.Obj().Pkg() == pkg && (field.Embedded() || s.NumFields() == 1) {
				owners[inner.Obj().Name()] = append(owners[inner.Obj().Name()], name)
			} else {
				shows[name] = false
			}
		}
	}
	out := map[string]int{}
	for name := range methods {
		if shows[name] {
			continue
		}
		seen := map[string]bool{}
		var add func(string)
		add = func(of string) {
			if !seen[of] {
				seen[of] = true
				out[name] += methods[of]
				for _, outer := range owners[of] {
					add(outer)
				}
			}
		}
		add(name)
	}
	return out
}

// walls reads wallsFile.
func walls(t *testing.T) map[measure]int {
	t.Helper()
	f, err := os.Open(wallsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	out := map[measure]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var m measure
		var most int
		if _, err := fmt.Sscan(lines.Text(), &m.kind, &m.of, &most); err != nil {
			t.Fatalf("%s: %q: expected a measure, a package or type, and a number", wallsFile, lines.Text())
		}
		out[m] = most
	}
	return out
}

// TestWalls: packages have walls inside, or stand in the list with a number that isn't exceeded. Who lowers a number by more
// than a tenth writes it down.
func TestWalls(t *testing.T) {
	listed := walls(t)
	numbers, limits := measured(moduleSources(t))
	wrong := false
	for m, n := range numbers {
		most, known := listed[m]
		switch {
		case !known:
			t.Errorf("%s of %s: %d, expected at most %d", m.kind, m.of, n, limits[m])
		case n > most:
			t.Errorf("%s of %s: %d, expected at most %d, a number that only falls", m.kind, m.of, n, most)
		case n < most*9/10:
			t.Errorf("%s of %s: %d, expected %d: lower the number in %s", m.kind, m.of, n, most, wallsFile)
		default:
			continue
		}
		wrong = true
	}
	for m := range listed {
		if _, exceeds := numbers[m]; !exceeds {
			wrong = true
			t.Errorf("%s of %s is within its limit: delete its line of %s", m.kind, m.of, wallsFile)
		}
	}
	if wrong {
		var b strings.Builder
		for _, m := range slices.SortedFunc(maps.Keys(numbers), func(a, b measure) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.of, b.of)) }) {
			fmt.Fprintf(&b, "%s %s %d\n", m.kind, m.of, numbers[m])
		}
		t.Logf("what exceeds the limits:\n%s", b.String())
	}
}

// TestWallsSeesOffences: the measures above must be able to exceed their limits.
func TestWallsSeesOffences(t *testing.T) {
	fsys := fstest.MapFS{
		"long/a.go":   {Data: []byte("package long\n" + strings.Repeat("\n", 4500))},
		"list/a.go":   {Data: []byte("package list\n\ntype Mutant int\n\nfunc some() []Mutant {\n" + strings.Repeat("\n", 4500) + "return nil }\n")},
		"shared/a.go": {Data: []byte("package shared\n\nimport \"edit\"\n\nfunc some() []edit.Mutant {\n" + strings.Repeat("\n", 4500) + "return nil }\n")},
		"facet/a.go":  {Data: []byte("package facet\n\ntype state struct{ n int }\n\ntype looks struct{ *state }\n\ntype wraps struct{ s looks }\n\ntype uses struct{ s *state; n int }\n" + methods("state", 20) + methods("looks", 20) + methods("wraps", 1) + methods("uses", 9))},
		"within/a.go": {Data: []byte("package within\n\ntype state struct{}\n" + methods("state", 40))},
	}
	for i := range 6 { // each uses the next, and the last all
		text := fmt.Sprintf("package round\n\ntype t%d struct{ next *t%d }\n", i, (i+1)%6)
		if i == 5 {
			text = "package round\n\ntype t5 struct{ a *t0; b *t1; c *t2; d *t3; e *t4 }\n\nfunc (t *t5) f() any { return t.e.next }\n"
		}
		fsys[fmt.Sprintf("round/%d.go", i)] = &fstest.MapFile{Data: []byte(text)}
		fsys[fmt.Sprintf("line/%d.go", i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("package line\n\ntype t%d struct{ next *t%d }\n\nfunc (t *t%d) f() {}\n", i, min(i+1, 5), i))}
	}
	fsys["round/6.go"] = &fstest.MapFile{Data: []byte("package round\n\nfunc (t *t0) f(*t6) { t.next.next = nil }\n\ntype t6 t0\n")}
	fsys["round/0.go"].Data = append(fsys["round/0.go"].Data, "\nvar _ = (*t0).f\n"...)
	sources, err := readSources(fsys)
	if err != nil {
		t.Fatal(err)
	}
	want := map[measure]int{{"lines", "long"}: 4501, {"methods", "facet.state"}: 41, {"arrows", "round"}: 13}
	got, limits := measured(sources)
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(measure{})); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(map[measure]int{{"lines", "long"}: 4500, {"methods", "facet.state"}: 40, {"arrows", "round"}: 10}, limits, gocmp.AllowUnexported(measure{})); diff != "" {
		t.Error(diff)
	}
}

// methods is the text of so many methods of a type.
func methods(of string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\nfunc (%s) m%d() {}\n", of, i)
	}
	return b.String()
}
