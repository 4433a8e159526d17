package lab

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// replicated returns a config that launches the lab at two addresses and waits for a deadline.
func replicated(t *testing.T, env, deadline string) string {
	t.Helper()
	var addresses []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // the next one has to be another
		addresses = append(addresses, "http://"+l.Addr().String())
	}
	return write(t, "c.yaml", fmt.Sprintf(`target: {url: "%s"}
targets: ["%s", "%s"]
packs: [helix]
launch:
  command: ['%s', serve, --listen, '127.0.0.1:{port}', --heartbeat, 50ms]
  env: {%s: yes%s}
  kill: true
  timeout: 20s
timing: {deadline: %s, heartbeat: 50ms}
`, addresses[0], addresses[0], addresses[1], os.Args[0], programEnv, env, deadline))
}

// TestReplicas: two processes over one Redis are one server.
func TestReplicas(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	config := replicated(t, fmt.Sprintf(", STORE_URL: '%s'", redis.URL), "20s")
	r := streamcert(t, "", "certify", "--config", config, "--only", "helix.replicas.*")
	if r.Code != 0 || !strings.Contains(r.Out, " 0 fail, 0 warn, 0 not claimed, 0 unprovable, ") {
		t.Errorf("%+v", r)
	}
	r = streamcert(t, "", "probe", "--config", config)
	if r.Code != 0 || !strings.Contains(r.Out, "replicated") {
		t.Errorf("%+v", r)
	}
}

// TestReplicasThatShareNothing: two processes with a memory each are not one server.
func TestReplicasThatShareNothing(t *testing.T) {
	t.Parallel()
	r := streamcert(t, "", "certify", "--config", replicated(t, "", "1s"), "--only", "helix.replicas.live", "--only", "helix.replicas.resume")
	if r.Code != 1 || !strings.Contains(r.Out, " 2 fail,") {
		t.Errorf("%+v", r)
	}
}

// TestReplicasOfNothing: invalid values of --replicas.
func TestReplicasOfNothing(t *testing.T) {
	streamcert(t, "", "certify", "--reference", "--replicas", "2").OneLine(t, misuse, "--store")
	streamcert(t, "", "certify", "--reference", "--store", "redis://x", "--replicas", "0").OneLine(t, misuse, "--replicas 0")
}
