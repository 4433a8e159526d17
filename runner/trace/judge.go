package trace

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
)

// names maps the requirement ids in the source of one judge to the constants and lines that use them.
type names struct {
	ids      *regexp.Regexp
	declared map[string]bool      // constants and variables of the package
	of       map[string]string    // id by constant
	list     map[ast.Node]bool    // nodes of the lists that map constants to ids
	at       map[string]Line      // where an id is in those lists
	uses     map[string][2][]Line // by id: lines that use it, and lines that only count it
}

// judge finds the lines of a judge that check a requirement: those that use its id or the constant for it. Where no line
// does more than count it, as where a schema finds the violation, it is the counting that is shown, and without that the list.
func (x *Index) judge(files []file, ids *regexp.Regexp) {
	n := names{ids: ids, declared: map[string]bool{}, of: map[string]string{}, list: map[ast.Node]bool{},
		at: map[string]Line{}, uses: map[string][2][]Line{}}
	for _, f := range files {
		n.declare(f)
	}
	for _, f := range files {
		ast.Inspect(f.ast, func(node ast.Node) bool {
			if pair, ok := node.(*ast.KeyValueExpr); ok {
				if name, ok := pair.Key.(*ast.Ident); ok && n.declared[name.Name] {
					n.bind(f, name, pair.Value)
				}
			}
			return true
		})
	}
	for _, f := range files {
		n.search(f)
		f.comments(ids, func(m Mention, p Line) { x.note(m, p, x.judged) })
	}
	for id, used := range n.uses {
		if len(used[0]) > 0 {
			x.judged[id] = append(x.judged[id], used[0]...)
		} else if len(x.judged[id]) == 0 {
			x.judged[id] = used[1]
		}
	}
	for id, p := range n.at {
		if len(x.judged[id]) == 0 {
			x.judged[id] = []Line{p}
		}
	}
}

// declare notes the constants and variables of a file, and the ids that some of them are.
func (n *names) declare(f file) {
	for _, d := range f.ast.Decls {
		general, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range general.Specs {
			spec, ok := s.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for i, name := range spec.Names {
				n.declared[name.Name], n.list[name] = true, true
				if i < len(spec.Values) {
					n.bind(f, name, spec.Values[i])
				}
			}
		}
	}
}

// bind records that a name represents an id, if the value is one.
func (n *names) bind(f file, name *ast.Ident, value ast.Expr) {
	literal, id := n.id(value)
	if id == "" {
		return
	}
	n.of[name.Name], n.at[id] = id, f.sourceLine(f.line(literal.Pos()))
	n.list[name], n.list[literal] = true, true
}

// id reads an expression that is nothing but an id, converted to another type or not.
func (n *names) id(value ast.Expr) (*ast.BasicLit, string) {
	if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
		value = call.Args[0]
	}
	literal, ok := value.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return nil, ""
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil || n.ids.FindString(text) != text || text == "" {
		return nil, ""
	}
	return literal, text
}

// search notes every use of an id outside of the lists.
func (n *names) search(f file) {
	counted, other := map[ast.Node]bool{}, map[ast.Node]bool{}
	ast.Inspect(f.ast, func(node ast.Node) bool {
		id := ""
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Name.Name == "Requirements" { // lists them all, and checks none
				return false
			}
			other[node.Name] = true
		case *ast.CallExpr:
			if method, ok := node.Fun.(*ast.SelectorExpr); ok {
				other[method.Sel] = true
				if method.Sel.Name == "Saw" && len(node.Args) == 1 {
					counted[node.Args[0]] = true
				}
			}
		case *ast.Ident:
			id = n.of[node.Name]
		case *ast.BasicLit:
			_, id = n.id(node)
		}
		if id == "" || n.list[node] || other[node] {
			return true
		}
		used, i := n.uses[id], 0
		if counted[node] {
			i = 1
		}
		used[i] = append(used[i], f.sourceLine(f.line(node.Pos())))
		n.uses[id] = used
		return true
	})
}
