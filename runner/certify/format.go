package certify

import (
	"io"

	"github.com/cucumber/godog"
	"github.com/cucumber/godog/formatters"
	messages "github.com/cucumber/messages/go/v34"
)

// silent is the name of a godog formatter that writes nothing: results are
// collected by hooks, and reports are written from the result model.
const silent = "streamcert-silent"

// godog finds formatters only by name, in its registry.
func init() {
	godog.Format(silent, "writes nothing", func(string, io.Writer) godog.Formatter { return quiet{} })
}

type quiet struct{}

func (quiet) TestRunStarted()                                                                     {}
func (quiet) Feature(*messages.GherkinDocument, string, []byte)                                   {}
func (quiet) Pickle(*messages.Pickle)                                                             {}
func (quiet) Defined(*messages.Pickle, *messages.PickleStep, *formatters.StepDefinition)          {}
func (quiet) Failed(*messages.Pickle, *messages.PickleStep, *formatters.StepDefinition, error)    {}
func (quiet) Passed(*messages.Pickle, *messages.PickleStep, *formatters.StepDefinition)           {}
func (quiet) Skipped(*messages.Pickle, *messages.PickleStep, *formatters.StepDefinition)          {}
func (quiet) Undefined(*messages.Pickle, *messages.PickleStep, *formatters.StepDefinition)        {}
func (quiet) Pending(*messages.Pickle, *messages.PickleStep, *formatters.StepDefinition)          {}
func (quiet) Ambiguous(*messages.Pickle, *messages.PickleStep, *formatters.StepDefinition, error) {}
func (quiet) Summary()                                                                            {}
