package launch

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/runner/redact"
)

// secretName matches names of variables whose values are secrets: those of keys, tokens, passwords, sessions, and of data
// sources, which contain passwords.
var secretName = regexp.MustCompile(`(?i)key|token|secret|pass|pwd$|credential|auth|session|cookie|private|^dsn$|_dsn$|database_url$`)

// folders are variables that secretName matches and that contain no secret.
var folders = map[string]bool{"PWD": true, "OLDPWD": true, "SSH_AUTH_SOCK": true, "XAUTHORITY": true, "SESSION_MANAGER": true, "XDG_SESSION_TYPE": true,
	"XDG_SESSION_CLASS": true, "DESKTOP_SESSION": true, "DBUS_SESSION_BUS_ADDRESS": true}

// secretsOf makes a redactor of the secrets in an environment of NAME=value, each shown as ${NAME}: by their names, and
// passwords of URLs whatever their names.
func secretsOf(environment []string) *redact.Redactor {
	shown := map[string]string{}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		if secretName.MatchString(name) && !folders[name] {
			shown[value] = "${" + name + "}"
		}
		if u, err := url.Parse(value); err == nil && u.User != nil {
			if password, is := u.User.Password(); is {
				shown[password] = "${" + name + "}"
			}
		}
	}
	return redact.Named(shown)
}
