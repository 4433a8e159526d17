package npmtest

import (
	"os"
	"os/exec"
	"testing"

	"github.com/streamcert/streamcert/runner/files"
)

// Install copies folders into one, installs the packages that its package-lock.json pins, and returns it. what names the
// packages in messages. Without npm, Node or a registry the test is skipped, or fails
// where STREAMCERT_REQUIRE_NPM is set. With -short it is skipped.
func Install(t *testing.T, what string, folders ...string) string {
	t.Helper()
	lack := t.Skipf
	if os.Getenv("STREAMCERT_REQUIRE_NPM") != "" {
		lack = t.Fatalf
	}
	if testing.Short() {
		t.Skip("installs packages")
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			lack("%s: there is no %s on the PATH; install Node 20 or newer with npm", what, program)
		}
	}
	folder := t.TempDir()
	for _, from := range folders {
		source, err := files.Open(from)
		if err == nil {
			err = os.CopyFS(folder, source)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0")
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		lack("%s: installing failed, perhaps for want of a network: %v\n%s", what, err, out)
	}
	return folder
}
