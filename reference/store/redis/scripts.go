package redis

import (
	"embed"

	"github.com/gomodule/redigo/redis"
)

//go:embed lua/*.lua
var lua embed.FS

// script is one call that Redis performs atomically.
type script struct {
	*redis.Script
	changes bool // it may change the stream, so that hubs read it
	values  int  // that follow the word "ok" of its answer
}

func newScript(name string, changes bool, values int) script {
	text := func(name string) string {
		source, err := lua.ReadFile("lua/" + name + ".lua")
		if err != nil { // the files are compiled into the program
			panic(err)
		}
		return string(source)
	}
	return script{redis.NewScript(keysOfStream, text("stream")+text(name)), changes, values}
}

type scripts struct {
	open, close, append, finish, status, cleanup, reset, initial, delete, describe, read, tail, record, forget script
}

func newScripts() scripts {
	change := func(name string) script { return newScript(name, true, 0) }
	return scripts{
		open: change("open"), close: change("close"), append: newScript("append", true, 1), finish: change("finish"),
		status: change("status"), cleanup: change("cleanup"), reset: change("reset"), initial: change("initial"),
		delete: change("delete"), record: change("record"), forget: change("forget"),
		describe: newScript("describe", false, 1), read: newScript("read", false, 3), tail: newScript("tail", false, 3),
	}
}

// text returns a string that Redis answered; "" if it isn't one.
func text(answer any) string {
	switch answer := answer.(type) {
	case []byte:
		return string(answer)
	case string:
		return answer
	}
	return ""
}

const keysOfStream = 6
