package runner

import (
	"net/http"

	"github.com/streamcert/streamcert/runner/target"
)

const probing = `{"messages":[{"role":"user","content":[{"type":"text","text":"probe"}]}]}`

// aepRoutes are the routes of pack aep in the order in which they are tried.
func aepRoutes() []route {
	return []route{
		{
			name: "stream", call: "POST stream",
			try: func(p *prober) (*target.Exchange, error) {
				reader, err := p.session.Ask(target.AskRequest{Body: []byte(probing), Hidden: true})
				if err != nil {
					return nil, err
				}
				_, err = reader.Ended()
				return reader.Exchange, err
			},
			right: eventStream,
		},
		{
			name: "cancel", call: "POST cancel", capability: "cancel", needed: words(`cancelled`), refusals: []int{http.StatusNotFound, http.StatusConflict},
			try: func(p *prober) (*target.Exchange, error) { return p.session.Cancel(p.session.NewName(), target.First) },
		},
		{
			name: "release", call: "POST /aep/release", needed: words(`passes "`), refusals: []int{http.StatusBadRequest},
			// A name that is none: a server that has the route refuses it as no request of its own.
			try: func(p *prober) (*target.Exchange, error) {
				return p.session.Call("POST", "/aep/release", []byte(`{"requestId":"","barrier":""}`), false)
			},
		},
	}
}
