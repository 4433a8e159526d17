package target

// Recorded makes an exchange again of what was kept of it, so that it can be
// judged once more. e holds the exported fields, v what came back.
func Recorded(e *Exchange, v View) *Exchange {
	e.changed = make(chan struct{})
	e.status, e.proto, e.response, e.answer = v.Status, v.Proto, v.Response, v.Answer
	e.frames, e.comments, e.end, e.err = v.Frames, v.Comments, v.End, v.Err
	return e
}
