package target

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/target/config"
)

// Redactor returns a replacer of all secrets, in every encoding: values of headers and their parts, tokens, the credential
// of the URL, and environment values in headers, tokens and launch. It also works for an invalid config.
func (c Config) Redactor() *redact.Redactor {
	secrets := c.secrets()
	for _, address := range c.addresses() {
		secrets = append(secrets, userinfo(address)...)
	}
	for _, v := range c.secrets() {
		secrets = append(secrets, inHeader(v)...)
	}
	for _, entry := range c.Launch.Env {
		if name, value, _ := strings.Cut(entry, "="); secretName(name) {
			secrets = append(secrets, value)
		}
	}
	for _, v := range c.Secrets {
		if !strings.Contains(strings.Join(c.addresses(), " "), v) { // the address is the subject of every report
			secrets = append(secrets, v)
		}
	}
	return redact.New(secrets...)
}

// inHeader returns the secrets inside a header value: the token after a scheme, the password of Basic credentials, and the
// values of cookies.
func inHeader(value string) []string {
	var out []string
	scheme, word, _ := strings.Cut(value, " ")
	if pair, err := base64.StdEncoding.DecodeString(word); err == nil && strings.EqualFold(scheme, "Basic") {
		_, password, _ := strings.Cut(string(pair), ":")
		out = append(out, string(pair), password)
	}
	if strings.Contains(value, "=") {
		for part := range strings.SplitSeq(value, ";") {
			_, v, _ := strings.Cut(part, "=")
			out = append(out, strings.Trim(strings.TrimSpace(v), `"`))
		}
	}
	return out
}

// userinfo returns the credential in a URL, which may not be one: the password and
// both joined, as Basic carries them, or a user name alone, which is a token then.
func userinfo(raw string) []string {
	_, rest, ok := strings.Cut(raw, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	at := strings.LastIndex(rest, "@")
	if !ok || at < 0 {
		return nil
	}
	out := []string{}
	user, password, both := strings.Cut(rest[:at], ":")
	for _, unescape := range []func(string) (string, error){asIs, url.PathUnescape} {
		u, err := unescape(user)
		p, perr := unescape(password)
		switch {
		case err != nil || perr != nil:
		case both:
			out = append(out, p, u+":"+p)
		default:
			out = append(out, u, u+":")
		}
	}
	return out
}

func asIs(s string) (string, error) { return s, nil }

// secretName is true of the name of a variable whose value is probably a secret.
func secretName(name string) bool {
	return slices.ContainsFunc([]string{"token", "key", "secret", "auth", "password", "credential", "jwt"}, func(part string) bool {
		return strings.Contains(strings.ToLower(name), part)
	})
}

// secretKey reports whether an environment value of a key is secret: headers, tokens, and all of launch.
func secretKey(keys []*config.Key, path string) bool {
	for _, k := range keys {
		switch {
		case path != k.Path && !strings.HasPrefix(path, k.Path+"."):
		case k.Kind == config.Section && k.Path != "launch":
			return secretKey(k.Keys, path)
		default:
			return k.Path == "launch" || k.Kind == config.Headers || k.Kind == config.Secret
		}
	}
	return false
}

// naming returns an error about a config, with variable names instead of their values, and redacted.
func (c Config) naming(err error, named map[string]string) error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			_ = c.naming(one, named) // changes one in place
		}
		return err
	}
	var mistake *ConfigError
	if !errors.As(err, &mistake) {
		return err
	}
	mistake.Message = c.Redactor().Redact(redact.Named(named).Redact(mistake.Message))
	for raw := range strings.FieldsSeq(mistake.Message) {
		written := slices.DeleteFunc(userinfo(raw), func(s string) bool { return strings.Contains(s, "${") })
		mistake.Message = redact.New(written...).Redact(mistake.Message)
	}
	return mistake
}
