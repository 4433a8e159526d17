package redact_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/redact"
)

// specialCharacters is a secret of characters that every encoding writes differently.
const specialCharacters = `p@ss "w/rd"<&>'é😀\+%41 x`

func escapedTwice(t *testing.T, s string) string {
	t.Helper()
	once, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(string(once))
	if err != nil {
		t.Fatal(err)
	}
	return string(twice)
}

func everyCharacter(format, s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func TestEveryEncoding(t *testing.T) {
	r := redact.New(specialCharacters)
	quoted, err := json.Marshal(specialCharacters)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"plain":              specialCharacters,
		"query":              url.QueryEscape(specialCharacters),
		"path":               url.PathEscape(specialCharacters),
		"lower-case percent": strings.ToLower(everyCharacter("%%%02X", specialCharacters)),
		"JSON":               string(quoted[1 : len(quoted)-1]),
		"JSON twice":         strings.Trim(escapedTwice(t, specialCharacters), `"\`),
		"JSON of others":     strings.ReplaceAll(string(quoted[1:len(quoted)-1]), "/", `\/`),
		"JSON in ASCII":      `p@ss \"w/rd\"\u003C\u0026\u003e'\u00E9\ud83D\ude00\\+%41 x`,
		"Go":                 strings.Trim(fmt.Sprintf("%+q", specialCharacters), `"`),
		"HTML":               html.EscapeString(specialCharacters),
		"percent twice":      url.QueryEscape(url.QueryEscape(specialCharacters)),
		"percent, lower":     strings.ReplaceAll(everyCharacter("%%%02x", specialCharacters), "%", "%2525"),
		"HTML twice":         html.EscapeString(html.EscapeString(specialCharacters)),
		"numbers, twice":     everyCharacter("&amp;#%d;", "p@ss ") + strings.TrimPrefix(html.EscapeString(specialCharacters), "p@ss "),
		"XML":                strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "'", "&apos;").Replace(specialCharacters),
		"hexadecimal HTML":   everyCharacter("&#x%x;", "p@ss ") + strings.TrimPrefix(html.EscapeString(specialCharacters), "p@ss "),
		"base 16":            hex.EncodeToString([]byte(specialCharacters)),
		"BASE 16":            strings.ToUpper(hex.EncodeToString([]byte(specialCharacters))),
		"base64":             base64.StdEncoding.EncodeToString([]byte(specialCharacters)),
		"base64 of URLs":     base64.RawURLEncoding.EncodeToString([]byte(specialCharacters)),
		"base64, escaped":    url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(specialCharacters))),
	} {
		if got := r.Redact("before " + text + " after"); !strings.HasPrefix(got, "before ***") || !strings.HasSuffix(got, " after") || len(got) > 20 {
			t.Errorf("%s: %s became %s", name, text, got)
		}
	}
}

func TestInsideLongerBase64(t *testing.T) {
	const secret = "correct-horse-battery"
	r := redact.New(secret)
	for _, before := range []string{"", "u", "us", "user:", "user:x"} {
		text := base64.StdEncoding.EncodeToString([]byte(before + secret + " and more"))
		got := r.Redact(text)
		back, _ := base64.StdEncoding.DecodeString(strings.Split(got, "***")[0])
		if !strings.Contains(got, "***") || strings.Contains(string(back), "corr") {
			t.Errorf("after %q: %s became %s", before, text, got)
		}
	}
}

func TestWhatIsLeftAlone(t *testing.T) {
	r := redact.New("secret-value", "short", "     ", "")
	for _, text := range []string{
		"", "short", "secret-valu", "secret value", "%zz%", `\u12`, `\`, "&#;", "& a;", "100 %", strings.Repeat(`\`, 99), "secre… (900 bytes)",
	} {
		if got := r.Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	var none *redact.Redactor
	if got := none.Redact("secret-value"); got != "secret-value" {
		t.Errorf("no redactor made %q", got)
	}
}

func TestShortenedAndOverlapping(t *testing.T) {
	r := redact.New("Bearer abcdefgh", "abcdefgh")
	for text, want := range map[string]string{
		"x Bearer abcdefgh y":    "x *** y",
		"x abcdefgh y":           "x *** y",
		"Bearer abc… (40 bytes)": "***… (40 bytes)",
		"abcdefgabcdefgh":        "abcdefg***",
		"abcdefghabcdefgh":       "******",
	} {
		if got := r.Redact(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	named := redact.Named(map[string]string{"hunter2-hunter2": "${PASSWORD}"})
	if got := named.Redact("not hunter2-hunter2"); got != "not ${PASSWORD}" {
		t.Error(got)
	}
}

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w := redact.New("secret-value").Writer(&b)
	if n, err := w.Write([]byte("the secret-value\n")); n != 17 || err != nil || b.String() != "the ***\n" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{specialCharacters, `\\\\u`, "%25%25%25%2", "&amp;&#x", `\ud83d\u`, strings.Repeat(`\`, 60)} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, secret, text string) {
		if len(secret) > 200 || len(text) > 2000 {
			return
		}
		r := redact.New(secret)
		if steps, most := redact.Steps(r, text), redact.Most(r, len(text)); steps > most {
			t.Errorf("%d steps for %d bytes and a secret of %d, expected at most %d", steps, len(text), len(secret), most)
		}
		got := r.Redact(text)
		if len(strings.TrimSpace(secret)) >= 6 && !strings.Contains(secret, redact.Mark) && strings.Contains(got, secret) {
			t.Errorf("%q still holds %q", got, secret)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	r := redact.New("Bearer QLKJASDLKJQWELKJ", "QLKJASDLKJQWELKJ", "ZXCMNBZXCMNBQWE")
	text := strings.Repeat(`data: {"type":"chunk","sequence":12,"chunk":{"delta":"the quick brown \"fox\""}}`+"\n\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Redact(text)
	}
}
