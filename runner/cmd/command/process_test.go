package command

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// programEnv makes this test binary the program itself, which checkpoints building it again.
const programEnv = "STREAMCERT_TEST_PROGRAM"

func TestMain(m *testing.M) {
	UsualEffort = campaign.Quick // most tests need no campaigns
	if os.Getenv(programEnv) != "" {
		Main(Program{Name: "streamcert"})
		return
	}
	os.Exit(m.Run())
}

// program returns a call of the program in a new process.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), programEnv+"=yes")
	return cmd
}

// TestCertifyAnotherProcess runs the program as a server, and certifies that over the network, as a user does.
func TestCertifyAnotherProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole suite")
	}
	cmd := program("serve", "--reader-token", "read-me-please", "--control-token", "provoke-me", "--heartbeat", "50ms")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("STREAMCERT_TEST_TOKEN", "read-me-please")
	config := cmdtest.Write(t, "streamcert.yaml", "target:\n  url: "+strings.TrimSpace(url)+
		"\nheaders:\n  Authorization: Bearer ${STREAMCERT_TEST_TOKEN}\ncontrol:\n  token: provoke-me\ntiming:\n  heartbeat: 50ms\n")
	r := streamcert(t, "", "certify", "--config", config, "--require", "Recovery")
	if r.Code != 0 || strings.Contains(r.Out, "read-me-please") {
		t.Errorf("exit code %d\n%s%s", r.Code, r.Out, r.Errs)
	}
	if runtime.GOOS == "windows" {
		return // a process can't be interrupted there
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the interrupted server: %v", err)
	}
}
