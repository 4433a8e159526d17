package schemas

import (
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Budget limits how often schemas are applied to values. References that double at each level apply a schema of a few lines
// more often than a machine can count. It is safe for concurrent use.
type Budget struct {
	mu         sync.Mutex // guards all below
	most, left int        // of the current validation
	spent      int        // validations that it ended
}

// mostSpent is the number of validations that a budget ends before it refuses further ones at once.
const mostSpent = 3

// NewBudget makes the schemas that a compiler compiles from now on count against a budget.
func NewBudget(c *jsonschema.Compiler) *Budget {
	b := &Budget{}
	c.RegisterExtension("budget", nil, counter{b})
	return b
}

// Applications returns the number that is enough for a document: many times what schemas take that don't multiply.
func Applications(document any) int { return 10_000 + 10*Values(document) }

// Spend runs validations with schemas of the compiler, one caller at a time. It ends them with a *BudgetError once schemas
// have been applied to values more than most times.
func (b *Budget) Spend(most int, validations func()) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.most, b.left = most, most; b.spent >= mostSpent {
		return &BudgetError{most}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *BudgetError:
			err = r
			b.spent++
		default:
			panic(r)
		}
	}()
	validations()
	return nil
}

// BudgetError is returned where validation was too much work.
type BudgetError struct{ Most int }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("the schema is applied more than %d times: its references multiply", e.Most)
}

// counter is a keyword that each schema has. The library applies it last, when the schemas below have been applied.
type counter struct{ of *Budget }

// Compile implements jsonschema.ExtCompiler.
func (c counter) Compile(jsonschema.CompilerContext, map[string]any) (jsonschema.ExtSchema, error) {
	return c, nil
}

// Validate implements jsonschema.ExtSchema. The schemas of members and items count here: the library ends before their counters where
// the type is wrong.
func (c counter) Validate(_ jsonschema.ValidationContext, v any) error {
	cost := 1
	switch v := v.(type) {
	case map[string]any:
		cost += len(v)
	case []any:
		cost += len(v)
	}
	if c.of.left -= cost; c.of.left < 0 {
		panic(&BudgetError{c.of.most})
	}
	return nil
}
