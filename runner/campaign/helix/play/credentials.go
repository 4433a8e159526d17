package play

import (
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// unauthorized makes requests that a server must deny, or answer with 404.
type unauthorized struct{ env *env }

// readers attaches readers with a nearly correct credential: longer, shorter, in another case, or with a prefix. None
// of them may read: helix.security.credential.
func (u unauthorized) readers(s *stream, info func(*stream) error) error {
	if !u.env.target.Claims("auth") {
		return nil
	}
	for _, as := range target.Nearly() {
		if !u.env.target.Signs(as) {
			continue
		}
		if err := u.barred(s, as, nil); err != nil {
			return err
		}
	}
	if first := "1"; u.env.target.Claims("resume") {
		if err := u.barred(s, target.Anonymous, &first); err != nil {
			return err
		}
	}
	if err := u.barredFromSnapshot(s); err != nil {
		return err
	}
	return u.barredFromInfo(s, info)
}

// barredFromSnapshot requests a snapshot without a credential.
func (u unauthorized) barredFromSnapshot(s *stream) error {
	if !u.env.target.Claims("snapshot") {
		return nil
	}
	e, err := u.env.session.Document(target.DocumentRequest{Route: helix.Snapshot(), Stream: s.id, LeaveOut: u.env.target.Credentials()})
	return u.denied(e, target.Anonymous, e.Now().Status, err)
}

// barred reads a stream with the credential of another user, from the start or a cursor.
func (u unauthorized) barred(s *stream, as target.User, cursor *string) error {
	conn, err := helix.Attach(u.env.session, target.ReadRequest{
		Stream: s.id, Cursor: cursor, LeaveOut: u.env.target.Credentials(), Headers: u.env.target.Showing(as), ReuseConnection: true, // on a connection of other readers
	})
	if err != nil {
		return err
	}
	v, err := conn.Head()
	u.env.session.Forget(conn)
	return u.denied(conn.Exchange, as, v.Status, err)
}

// barredFromInfo requests StreamInfo without a correct credential, on a connection that a correct request has just used.
func (u unauthorized) barredFromInfo(s *stream, info func(*stream) error) error {
	if !u.env.target.Claims("info") {
		return nil
	}
	for _, as := range []target.User{target.Anonymous, target.LongToken} {
		if err := info(s); err != nil {
			return err
		}
		e, err := helix.GetInfo(u.env.session, target.DocumentRequest{Stream: s.id, LeaveOut: u.env.target.Credentials(), Headers: u.env.target.Showing(as)})
		if err := u.denied(e, as, e.Now().Status, err); err != nil {
			return err
		}
	}
	return nil
}

// denied judges the answer to a request without a correct credential.
func (u unauthorized) denied(e *target.Exchange, as target.User, status int, err error) error {
	const rule = "helix.security.credential"
	if u.env.counts[rule]++; err != nil {
		return campaign.Broken(e, rule, "401 or 403", err.Error(), "a request whose credential is a %s was not answered", as)
	}
	if status != http.StatusUnauthorized && status != http.StatusForbidden {
		return campaign.Broken(e, rule, "401 or 403", fmt.Sprint(status), "a request whose credential is a %s was served", as)
	}
	return nil
}

// unknownName requests a stream that doesn't exist: helix.status.info-unknown, helix.http.unknown-stream. A server may
// also refuse the id.
func (u unauthorized) unknownName(id string) error {
	if u.env.target.Claims("info") {
		e, err := helix.GetInfo(u.env.session, target.DocumentRequest{Stream: id})
		if err := u.unknown(e, "helix.status.info-unknown", err); err != nil {
			return err
		}
	}
	conn, err := helix.Attach(u.env.session, target.ReadRequest{Stream: id})
	if err != nil {
		return err
	}
	defer u.env.session.Forget(conn)
	_, err = conn.Head()
	return u.unknown(conn.Exchange, "helix.http.unknown-stream", err)
}

// unknown judges the answer to a request for a stream that doesn't exist.
func (u unauthorized) unknown(e *target.Exchange, rule string, err error) error {
	if err != nil {
		return campaign.Broken(e, rule, "404", err.Error(), "a request for a stream that nobody made was not answered")
	}
	if u.env.counts[rule]++; e.Now().Status/100 != 4 {
		return campaign.Broken(e, rule, "404", fmt.Sprint(e.Now().Status), "a stream is there that nobody made")
	}
	return nil
}
