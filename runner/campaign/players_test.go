package campaign_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// players maps the packages whose files play programs to the files that don't: they draw, parse or shrink programs.
var players = map[string][]string{
	"helix/play": nil,
	"helix-ui":   {"draw.go"},
	"aep":        {"catalogue.go", "data.go", "draw.go", "sequences.go"},
	"merlin":     {"draw.go"},
}

// drawn lists what returns something that isn't a function of a program.
var drawn = []string{"NewDraw", "Pick", "Size", "Near", "Weighted"}

// draws reports whether a function draws operations: it has a generator.
func draws(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(field *ast.Field) bool {
		of, ok := field.Type.(*ast.StarExpr)
		if !ok {
			return false
		}
		name, ok := of.X.(*ast.SelectorExpr)
		return ok && name.Sel.Name == "Rand"
	})
}

// copies adds the variables to counts that a function sets to a count, by name.
func copies(set *ast.AssignStmt, counts map[string]bool, to map[string]bool) {
	if set.Tok != token.DEFINE || len(set.Lhs) != len(set.Rhs) {
		return
	}
	for i, e := range set.Rhs {
		if name, ok := set.Lhs[i].(*ast.Ident); ok && counted(e, counts) {
			to[name.Name] = true
		}
	}
}

// counted reports whether an expression is a field that is counted, except in an operation.
func counted(e ast.Expr, counts map[string]bool) bool {
	field, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, is := field.X.(*ast.Ident)
	return counts[field.Sel.Name] && !(is && of.Name == "o")
}

// hiddenChoices lists where a player chooses by itself, so that its program isn't the history: it takes the remainder of a
// count that it keeps or of an answer, or draws.
func hiddenChoices(set *token.FileSet, files []*ast.File) (out []string) {
	counts := map[string]bool{}
	inspect := func(do func(ast.Node)) {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				function, ok := n.(*ast.FuncDecl)
				if ok && draws(function) {
					return false
				}
				do(n)
				return true
			})
		}
	}
	count := func(e ast.Expr) {
		if field, ok := e.(*ast.SelectorExpr); ok {
			counts[field.Sel.Name] = true
		}
	}
	inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			count(n.X)
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN {
				count(n.Lhs[0])
			}
		}
	})
	locals := map[string]bool{} // of the function that is inspected
	inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			clear(locals)
		case *ast.AssignStmt:
			copies(n, counts, locals)
		case *ast.BinaryExpr:
			if n.Op == token.REM && chooses(n.X, counts, locals) {
				out = append(out, fmt.Sprintf("%s: a remainder of a count or an answer", set.Position(n.Pos())))
			}
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && (of.Name == "rand" || of.Name == "campaign" && slices.Contains(drawn, n.Sel.Name)) {
				out = append(out, fmt.Sprintf("%s: a draw", set.Position(n.Pos())))
			}
		}
	})
	return out
}

// chooses reports whether an expression has a field that is counted, a local variable with its value, or a call.
func chooses(e ast.Expr, counts, locals map[string]bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || locals[n.Name]
		case *ast.CallExpr:
			_, conversion := n.Fun.(*ast.Ident)
			found = found || !conversion
		case *ast.SelectorExpr:
			found = found || counted(n, counts)
		}
		return true
	})
	return found
}

// TestPlayersChooseNothing: whatever may be done in several ways is a field of an operation, which the draw sets and the
// text shows, so that a pasted program is the history and shrinking doesn't change what is played.
func TestPlayersChooseNothing(t *testing.T) {
	for _, dir := range slices.Sorted(maps.Keys(players)) {
		set, names := token.NewFileSet(), []string{}
		for _, pattern := range []string{"*.go", "*/*.go"} {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, found...)
		}
		var files []*ast.File
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || slices.Contains(players[dir], filepath.Base(name)) {
				continue
			}
			f, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		if len(files) == 0 {
			t.Errorf("%s has no files", dir)
		}
		for _, hidden := range hiddenChoices(set, files) {
			t.Error(hidden)
		}
	}
}

// TestHiddenChoicesAreSeen: the test above must be able to fail.
func TestHiddenChoicesAreSeen(t *testing.T) {
	for body, hidden := range map[string]bool{
		"if p.resets++; p.resets%4 == 1 { return }":  true,
		"p.n += 2; _ = all[(p.n/2+1)%3]":             true,
		"_ = s.Written()%2":                          true,
		"n := p.n; p.n++; _ = n%2":                   true,
		"n := p.m; p.n++; _ = n%2":                   false,
		"_ = rand.IntN(2)":                           true,
		"_ = campaign.Pick(r, 1, 2)":                 true,
		"_ = all[o.Who%len(all)]":                    false,
		"}\nfunc g(r *rand.Rand) { _ = rand.IntN(2)": false,
		"for n := range 7 { _ = int(n)%2 }":          false,
	} {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "a.go", "package a\nfunc f() { "+body+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := hiddenChoices(set, []*ast.File{f}); (len(got) > 0) != hidden {
			t.Errorf("%s: got %v", body, got)
		}
	}
}
