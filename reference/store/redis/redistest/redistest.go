package redistest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Server is a running Redis.
type Server struct {
	// URL is redis:// and where it listens.
	URL  string
	Addr string

	t      testing.TB
	args   []string
	cmd    *exec.Cmd
	output bytes.Buffer
}

// Start starts a Redis that syncs its log at every write, with further settings such as "--maxmemory", "8mb".
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("STREAMCERT_REQUIRE_REDIS") == "1" {
			t.Fatal("there is no redis-server on the PATH, which STREAMCERT_REQUIRE_REDIS asks for; install Debian's redis-server")
		}
		t.Skip("there is no redis-server on the PATH; install Debian's redis-server to run this test")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	s := &Server{t: t, Addr: fmt.Sprintf("127.0.0.1:%d", port)}
	s.URL = "redis://" + s.Addr + "/0"
	s.args = append([]string{program, "--bind", "127.0.0.1", "--port", fmt.Sprint(port), "--dir", folder, "--save", "",
		"--appendonly", "yes", "--appendfsync", "always", "--pidfile", filepath.Join(folder, "pid"), "--daemonize", "no"}, settings...)
	t.Cleanup(s.Kill)
	s.Run()
	return s
}

// Run starts it where it was stopped, and waits until it answers.
func (s *Server) Run() {
	s.t.Helper()
	s.output.Reset()
	s.cmd = exec.Command(s.args[0], s.args[1:]...)
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if s.answers() {
			return
		}
	}
	s.Kill()
	s.t.Fatalf("redis-server doesn't answer at %s:\n%s", s.Addr, s.output.String())
}

// answers reports whether the server answers PONG, which it doesn't while it loads its data.
func (s *Server) answers() bool {
	c, err := net.DialTimeout("tcp", s.Addr, time.Second)
	if err != nil {
		return false
	}
	defer c.Close()
	answer := make([]byte, 5)
	_ = c.SetDeadline(time.Now().Add(time.Second)) // on a connection that is open
	_, err = fmt.Fprint(c, "PING\r\n")
	if err == nil {
		_, err = c.Read(answer)
	}
	return err == nil && string(answer) == "+PONG"
}

// Kill ends it at once, as a loss of its machine would that spares the disk. It may be called again.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended by itself
	_ = s.cmd.Wait()         // the error says that it was killed
	s.cmd = nil
}

// Signal sends it a signal.
func (s *Server) Signal(signal os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
}
