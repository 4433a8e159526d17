package play

import (
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// readers attaches readers with a nearly correct credential: longer, shorter, in another case, or with a prefix. None
// of them may read: helix.security.credential.
func (u unauthorized) readers(s *stream, info func(*stream) error) error {
	if !u.target.Claims("auth") {
		return nil
	}
	for _, as := range target.Nearly() {
		if !u.target.Signs(as) {
			continue
		}
		if err := u.barred(s, as, nil); err != nil {
			return err
		}
	}
	if first := "1"; u.target.Claims("resume") {
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
	if !u.target.Claims("snapshot") {
		return nil
	}
	e, err := u.session.Document(target.DocumentRequest{Route: helix.Snapshot(), Stream: s.id, LeaveOut: u.target.Credentials()})
	return u.denied(e, target.Anonymous, e.Now().Status, err)
}

// barred reads a stream with the credential of another user, from the start or a cursor.
func (u unauthorized) barred(s *stream, as target.User, cursor *string) error {
	conn, err := helix.Attach(u.session, target.ReadRequest{
		Stream: s.id, Cursor: cursor, LeaveOut: u.target.Credentials(), Headers: u.target.Showing(as), ReuseConnection: true, // on a connection of other readers
	})
	if err != nil {
		return err
	}
	v, err := conn.Head()
	u.session.Forget(conn)
	return u.denied(conn.Exchange, as, v.Status, err)
}

// barredFromInfo requests StreamInfo without a correct credential, on a connection that a correct request has just used.
func (u unauthorized) barredFromInfo(s *stream, info func(*stream) error) error {
	if !u.target.Claims("info") {
		return nil
	}
	for _, as := range []target.User{target.Anonymous, target.LongToken} {
		if err := info(s); err != nil {
			return err
		}
		e, err := helix.GetInfo(u.session, target.DocumentRequest{Stream: s.id, LeaveOut: u.target.Credentials(), Headers: u.target.Showing(as)})
		if err := u.denied(e, as, e.Now().Status, err); err != nil {
			return err
		}
	}
	return nil
}

// denied judges the answer to a request without a correct credential.
func (u unauthorized) denied(e *target.Exchange, as target.User, status int, err error) error {
	const rule = "helix.security.credential"
	if u.counts[rule]++; err != nil {
		return campaign.Broken(e, rule, "401 or 403", err.Error(), "a request whose credential is a %s was not answered", as)
	}
	if status != http.StatusUnauthorized && status != http.StatusForbidden {
		return campaign.Broken(e, rule, "401 or 403", fmt.Sprint(status), "a request whose credential is a %s was served", as)
	}
	return nil
}
