package target

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// TLS is how an https target is trusted and who asks it. Files are PEM.
type TLS struct {
	CA   string // of who signs the server's certificate, beside the system's own
	Cert string // of the suite itself, for a server that asks for one; goes with Key
	Key  string
	// Insecure takes whatever certificate the server shows.
	Insecure bool
}

// Launch is how the server is started for a run, and stopped after it. The zero
// value starts nothing.
type Launch struct {
	Command []string // program and arguments
	Cwd     string   // where it is started; "" for the folder of the suite itself
	Env     []string // NAME=value, added to the environment
	// Ready is a URL that answers once the server is up; default is the base URL.
	Ready string
	// Stop is the signal that asks the server to end, such as SIGTERM; that is
	// the default. Where there are no signals it is asked as the system does it.
	Stop string
	// Timeout is how long the server may take until it is ready; default 30 s.
	Timeout time.Duration
}

// Signals lists those that Launch.Stop may name.
func Signals() []string {
	return []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGKILL"}
}

// mostPEM bounds what is read of a file that should be a certificate or a key.
const mostPEM = 4 << 20

func readPEM(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostPEM))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return text, nil
}

// fileProblem says in a few words what is wrong with a file.
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

// roots are the system's and those of the CA file.
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

// pair is the certificate of the suite with its key.
func (t TLS) pair() (tls.Certificate, error) {
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

// Client is the configuration of a client that follows t, nil where t says
// nothing. The error names the file.
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
		pair, err := t.pair()
		if err != nil {
			return nil, fmt.Errorf("tls.cert: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// Answers asks a URL once, within a time, and says whether an HTTP server below
// status 500 is there. The error says why not.
func (t TLS) Answers(url string, within time.Duration) error {
	c, err := t.Client()
	if err != nil {
		return err
	}
	tr := &http.Transport{TLSClientConfig: c, DisableKeepAlives: true}
	client := http.Client{Transport: tr, Timeout: within, CheckRedirect: noRedirect}
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	_ = resp.Body.Close()
	if resp.StatusCode >= 500 {
		return fmt.Errorf("it answered %d", resp.StatusCode)
	}
	return nil
}

// beside is a path of the config: relative ones begin at the folder of the file.
func (r *configReader) beside(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(r.name), path)
}
