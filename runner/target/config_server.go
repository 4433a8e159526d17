package target

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/httpclient"
	"github.com/streamcert/streamcert/runner/target/config"
)

// TLS configures the trust in an https target, and the client certificate. Files are PEM.
type TLS struct {
	CA       string `key:"ca" kind:"path" example:"ca.pem" doc:"who signs the server's certificate, beside the system's own"`
	Cert     string `key:"cert" kind:"path" example:"cert.pem" doc:"the suite's own certificate, for a server that asks for one; goes with key"`
	Key      string `key:"key" kind:"path" example:"key.pem" doc:"the key of the certificate"`
	Insecure bool   `key:"insecure" example:"false" doc:"true takes whatever certificate the server shows"`
}

// Launch configures how the server is started for a run, and stopped after it. The zero value starts nothing.
type Launch struct {
	Command []string `key:"command" kind:"command" required:"true" example:"[\"./server\", \"--port\", \"8080\"]" doc:"program and arguments; or one text, for the shell. With targets it is started for each, and {port} stands for the port of that, here, in env and in ready"`
	Cwd     string   `key:"cwd" kind:"path" example:"." doc:"where it is started; by default where streamcert is"`
	// Env are NAME=value.
	Env   []string `key:"env" kind:"environment" example:"LOG_LEVEL: debug" doc:"added to the environment of streamcert"`
	Ready string   `key:"ready" kind:"url" holds:"{port}" example:"http://127.0.0.1:8080" doc:"answers below 500 once the server is up; target.url by default"`
	// Stop is the signal that ends the server. On systems without signals the server is ended in the system's way.
	Stop string `key:"stop" kind:"signal" example:"SIGTERM" doc:"the signal that asks it to end, SIGTERM by default; after 5 s it is killed"`
	// Kill allows the suite to kill the server and start it again in the midst of a run.
	Kill    bool          `key:"kill" example:"false" doc:"the suite may kill the server in the midst of a run and start it again, to see that it keeps what it has stored; by default it may not, and what needs that can't be proven"`
	Timeout time.Duration `key:"timeout" example:"30s" doc:"how long it may take until it is ready, 30 s by default"`
}

// mostPEM limits the bytes that are read of a certificate or key file.
const mostPEM = 4 << 20

func readPEM(path string) ([]byte, error) {
	return files.ReadFile(path, mostPEM)
}

// fileProblem returns a short description of an error with a file.
func fileProblem(path string, err error) string {
	var at *os.PathError
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Sprintf("there is no file %s", path)
	}
	if errors.As(err, &at) {
		return fmt.Sprintf("%s can't be read: %v", path, at.Err)
	}
	return err.Error()
}

// roots returns the system's and those of the CA file.
func (t TLS) roots() (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any still has the file
	}
	text, err := readPEM(t.CA)
	if err != nil {
		return nil, errors.New(fileProblem(t.CA, err))
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form", t.CA)
	}
	return pool, nil
}

// certificate returns the certificate of the suite with its key.
func (t TLS) certificate() (tls.Certificate, error) {
	for _, path := range []string{t.Cert, t.Key} {
		if _, err := readPEM(path); err != nil {
			return tls.Certificate{}, errors.New(fileProblem(path, err))
		}
	}
	pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("%s and %s are no certificate with its key: %w", t.Cert, t.Key, err)
	}
	return pair, nil
}

// Client returns the configuration of a client that follows t, nil where
// t is empty. The error names the file.
func (t TLS) Client() (*tls.Config, error) {
	if t == (TLS{}) {
		return nil, nil
	}
	c := &tls.Config{InsecureSkipVerify: t.Insecure}
	if t.CA != "" {
		pool, err := t.roots()
		if err != nil {
			return nil, fmt.Errorf("tls.ca: %w", err)
		}
		c.RootCAs = pool
	}
	if t.Cert != "" {
		pair, err := t.certificate()
		if err != nil {
			return nil, fmt.Errorf("tls.cert: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// Answers asks a URL once, within a time, and reports whether an HTTP server below
// status 500 is there. The error gives the reason.
func (t TLS) Answers(ctx context.Context, url string, within time.Duration) error {
	c, err := t.Client()
	if err != nil {
		return err
	}
	dial := net.Dialer{Timeout: within}
	client := httpclient.New(httpclient.Transport(httpclient.Connections{Dial: dial.DialContext, TLS: c}), httpclient.Options{Within: within})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	_ = resp.Body.Close()
	if resp.StatusCode >= 500 {
		return fmt.Errorf("it answered %d", resp.StatusCode)
	}
	return nil
}

// validate opens every file that the section names.
func (t TLS) validate(pathValues config.Positions) error {
	if (t.Cert == "") != (t.Key == "") {
		return pathValues.Of("tls").Errorf("tls.cert and tls.key go together; expected both or neither")
	}
	if t.CA != "" {
		if _, err := t.roots(); err != nil {
			return pathValues.Of("tls.ca").Errorf("tls.ca: %v; expected a file of certificates in PEM form", err)
		}
	}
	if t.Cert == "" {
		return nil
	}
	for _, f := range []struct{ key, path string }{{"tls.cert", t.Cert}, {"tls.key", t.Key}} {
		if _, err := readPEM(f.path); err != nil {
			return pathValues.Of(f.key).Errorf("%s: %s; expected a file in PEM form", f.key, fileProblem(f.path, err))
		}
	}
	if _, err := t.certificate(); err != nil {
		return pathValues.Of("tls.cert").Errorf("tls.cert: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return nil
}
