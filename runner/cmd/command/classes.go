package command

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/spec"
)

// resolveClasses replaces the values of --require by the names of classes. A value is the id or the name of a class, or
// several of them with spaces between, as a list in CI has it. The error is for a value that is neither.
func (c *certifying) resolveClasses(suites []*pack.Suite) error {
	var all []spec.Class
	var ids []string
	for _, suite := range suites {
		for _, class := range suite.Book.Classes(suite.Pack.Name) {
			if !slices.Contains(ids, class.ID()) {
				all, ids = append(all, class), append(ids, class.ID())
			}
		}
	}
	var names []string
	for _, value := range c.require {
		found := classesOf(all, value)
		if len(found) == 0 {
			return Usage("--require: there is no class %q%s; the classes are %s", value, Suggest(value, ids), strings.Join(ids, ", "))
		}
		names = append(names, found...)
	}
	c.require = names
	return nil
}

// classesOf returns the names of the classes that a value of --require means, nil if a part of it is no class.
func classesOf(all []spec.Class, value string) []string {
	find := func(text string) int {
		return slices.IndexFunc(all, func(class spec.Class) bool { return class.ID() == text || class.Name == text })
	}
	if i := find(strings.TrimSpace(value)); i >= 0 {
		return []string{all[i].Name}
	}
	var names []string
	for _, word := range strings.Fields(value) {
		i := find(word)
		if i < 0 {
			return nil
		}
		names = append(names, all[i].Name)
	}
	return names
}
