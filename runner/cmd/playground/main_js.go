package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
	"syscall/js"

	"github.com/streamcert/streamcert/runner/site/playground"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// rarely is the growth of the heap in percent before a collection: a browser gives one thread, and the judge's data is
// small.
const rarely = 400

func main() {
	debug.SetGCPercent(rarely)
	j, err := playground.New()
	digest, failed := playground.Digest(spec.FS, schemas.FS)
	if err = errors.Join(err, failed); err != nil {
		js.Global().Call("judgeReady", err.Error())
		return
	}
	js.Global().Set("judgeDigest", digest)
	js.Global().Set("judgeRecording", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var o playground.Options
		_ = json.Unmarshal([]byte(args[1].String()), &o) // what doesn't fit is left out
		tell := func(m playground.Message) {
			text, err := json.Marshal(m)
			if err == nil {
				args[2].Invoke(string(text))
			}
		}
		return promise(func() { j.Run(context.Background(), &source{read: args[0]}, o, tell) })
	}))
	js.Global().Call("judgeReady", "")
	select {} // the functions are called from now on
}

// promise runs a function concurrently with the events of the browser, and resolves when it is done.
func promise(do func()) js.Value {
	var executor js.Func
	executor = js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() {
			defer executor.Release()
			do()
			args[0].Invoke()
		}()
		return nil
	})
	return js.Global().Get("Promise").New(executor)
}

// source reads what a function of the page gives.
type source struct {
	read      js.Value
	remaining []byte
	done      bool
}

// Read implements io.Reader. While it waits the browser goes on.
func (s *source) Read(p []byte) (int, error) {
	for len(s.remaining) == 0 {
		if s.done {
			return 0, io.EOF
		}
		next, err := awaited(s.read.Invoke())
		if err != nil {
			return 0, err
		}
		if next.IsNull() || next.IsUndefined() {
			s.done = true
			continue
		}
		s.remaining = make([]byte, next.Get("length").Int())
		js.CopyBytesToGo(s.remaining, next)
	}
	n := copy(p, s.remaining)
	s.remaining = s.remaining[n:]
	return n, nil
}

// awaited waits for a promise.
func awaited(p js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	out := make(chan result, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any { out <- result{value: args[0]}; return nil })
	defer then.Release()
	fail := js.FuncOf(func(_ js.Value, args []js.Value) any {
		out <- result{err: errors.New("reading the recording: " + args[0].Call("toString").String())}
		return nil
	})
	defer fail.Release()
	p.Call("then", then, fail)
	r := <-out
	return r.value, r.err
}
