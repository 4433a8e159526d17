package play

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// unknownNames asks for streams that nobody made, by such names: helix.status.info-unknown, helix.http.unknown-stream. A server may
// also refuse the id.
func (p unauthorizedReaders) unknownNames() error {
	id := data.InheritedNames[p.removed/2%len(data.InheritedNames)]
	if p.target.Claims("info") {
		e, err := helix.AskInfo(p.session, target.DocumentRequest{Stream: id})
		if err := p.unknown(e, "helix.status.info-unknown", err); err != nil {
			return err
		}
	}
	conn, err := helix.Attach(p.session, target.ReadRequest{Stream: id})
	if err != nil {
		return err
	}
	defer p.session.Forget(conn)
	_, err = conn.Head()
	return p.unknown(conn.Exchange, "helix.http.unknown-stream", err)
}

// unknown judges the answer of a stream that nobody made.
func (p unauthorizedReaders) unknown(e *target.Exchange, rule string, err error) error {
	if err != nil {
		return campaign.Broken(e, rule, "404", err.Error(), "a request for a stream that nobody made was not answered")
	}
	if p.ledger[rule]++; e.Now().Status/100 != 4 {
		return campaign.Broken(e, rule, "404", fmt.Sprint(e.Now().Status), "a stream is there that nobody made")
	}
	return nil
}
