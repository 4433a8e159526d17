package steps

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// Takes returns the number of parameters of the handler, without the context.
func (d Definition) Takes() int { return reflect.TypeOf(d.handler).NumIn() - 1 }

// Call runs a definition with the captures of its pattern in a step's text, as godog would. A doc string is on the lines
// below the first. The error is that of the step, or reports that the text doesn't match.
func (d Definition) Call(ctx context.Context, text string) error {
	text, doc, _ := strings.Cut(text, "\n")
	captured := d.Pattern.FindStringSubmatch(text)
	if captured == nil {
		return fmt.Errorf("%q doesn't match %s", text, d.Pattern)
	}
	handler := reflect.ValueOf(d.handler)
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i, c := range captured[1:] {
		switch handler.Type().In(i + 1).Kind() {
		case reflect.Int:
			n, err := strconv.Atoi(c)
			if err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
			args = append(args, reflect.ValueOf(n))
		default:
			args = append(args, reflect.ValueOf(c))
		}
	}
	if d.Block {
		args = append(args, reflect.ValueOf(&godog.DocString{Content: doc}))
	}
	err, _ := handler.Call(args)[0].Interface().(error)
	return err
}
