package redact

import (
	"regexp"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/collect"
)

// The lists are those of the collector: what one of them keeps, the other does. An entry that is added to one is to be
// added to the other.
func TestListsAreThoseOfTheCollector(t *testing.T) {
	script := collect.Script
	for name, have := range map[string]string{"word": secretWord, "flag": beforeFlag, "inargs": inArgs, "keepenv": keptEnv, "keepnote": keptNotes, "dropnote": droppedNotes, "keepvalue": keptValues} {
		want := assigned(t, script, name)
		if want != have {
			t.Errorf("%s:\ncollector %s\nhere      %s", name, want, have)
		}
	}
	for _, part := range []string{forms, loweredForms, stops, plainNote, templateLines} {
		if !strings.Contains(script, "/"+part+"/") && !strings.Contains(script, `|`+part+`"`) {
			t.Errorf("not in the collector: %s", part)
		}
	}
	if !strings.Contains(script, "/"+namesOnly+"/") {
		t.Errorf("not in the collector: %s", namesOnly)
	}
	if !strings.Contains(script, "/"+namedForm+"/") {
		t.Errorf("not in the collector: %s", namedForm)
	}
	for _, key := range strings.Split(strings.Trim(proxyKeys, "^()$"), "|") {
		if !strings.Contains(script, key) {
			t.Errorf("the collector does not keep %s", key)
		}
	}
}

// assigned gives the text that awk has in a variable: strings with their escapes resolved, and other variables.
func assigned(t *testing.T, script, name string) string {
	t.Helper()
	const piece = `"(?:[^"\\]|\\.)*"|word|flag`
	m := regexp.MustCompile(`(?:\n  |; )` + name + ` = ((?:(?:` + piece + `) ?)+)`).FindStringSubmatch(script)
	if m == nil {
		t.Fatalf("the collector has no variable %s", name)
	}
	var out strings.Builder
	for _, p := range regexp.MustCompile(piece).FindAllString(m[1], -1) {
		if p[0] != '"' {
			p = assigned(t, script, p)
		} else {
			p = strings.ReplaceAll(p[1:len(p)-1], `\\`, `\`)
		}
		out.WriteString(p)
	}
	return out.String()
}

func TestSecretsByForm(t *testing.T) {
	for _, s := range []string{"hf_abCDef", "npm_a1b2", "dckr_pat_x", "https://h/x?a=b&key=x", "https://hooks.slack.com/services/T0/B0/x", "jdbc:oracle:thin:scott/x@//h:1521/s", "password=x", `"api_key": "x"`, "db-password='x'", "ACCOUNT_KEY=x", "https://u:p@h/", "https://token@h/", "Bearer abc", "authorization: Basic x",
		"x?sig=abc", "eyJhbGciOi.x", "AKIAIOSFODNN7", "-----BEGIN RSA", "ghp_abc", "github_pat_11A", "glpat-x", "gldt-x", "glrt-x", "xoxb-1", "xapp-1-A", "AIzaSy", "ya29.a0A", "GOCSPX-x", "Connection String=x"} {
		if !formed(s) {
			t.Errorf("%q stays", s)
		}
	}
	for _, s := range []string{"", "a", "kube-api-access-x", "my-secret", "imagePullSecrets: x", `"imagePullSecrets":null`, "registry/token-app:1", "http://localhost:15020/quitquitquit",
		"secret \"db\" not found", `MountVolume.SetUp failed for volume "istio-token" : configmap "x" not found`, "istio.io/rev=default", "passed", "cpu=100m", "gluster-x", "swap-x"} {
		if formed(s) {
			t.Errorf("%q goes", s)
		}
	}
}

func TestArguments(t *testing.T) {
	p := patterns{own: compiled([]string{`ACME-\d+`})}
	for line, want := range map[string]string{
		"serve --port 80":        "serve --port 80",
		"--password x --port 80": "--password REDACTED (stops no proxy) --port 80",
		"--password=x serve":     "REDACTED (stops no proxy) serve",
		"-u root:x":              "-u REDACTED (stops no proxy)",
		"-u root":                "-u root",
		"mysql -px":              "mysql REDACTED (stops no proxy)",
		"--feature-gates=SidecarContainers=false": "--feature-gates=SidecarContainers=false",
		"ACME-12 x":                      "REDACTED (stops no proxy) x",
		"-a x":                           "-a REDACTED (stops no proxy)",
		strings.Repeat("a1B", 14) + " x": "REDACTED (stops no proxy) x",
		"token=x:15020/quitquitquit":     "REDACTED (mentions :15020/quitquitquit)",
		"pilot-agent wait":               "pilot-agent wait",
	} {
		after, got := "", []string{}
		for _, w := range strings.Fields(line) {
			var hidden bool
			if hidden, after = p.hides(w, after); hidden {
				w = p.hiddenArg(w)
			}
			got = append(got, w)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", line, strings.Join(got, " "), want)
		}
	}
}

// TestScripts: an argument that is a script goes as a whole, whatever in it is the secret.
func TestScripts(t *testing.T) {
	for text, want := range map[string]string{
		"echo hunter2 | docker login -u me --password-stdin":  "REDACTED (stops no proxy)",
		"app --password hunter2 --port 80":                    "REDACTED (stops no proxy)",
		"--api-token hunter2":                                 "REDACTED (stops no proxy)",
		"run; curl -u me:x localhost:15020/quitquitquit":      "REDACTED (mentions :15020/quitquitquit)",
		"app --token x; pkill -9 envoy":                       "REDACTED (mentions pkill -9 envoy)",
		`app --token x; pkill -f "^envoy"`:                    "REDACTED",
		"app --port 80 --compose-file /etc/app.yaml; sleep 5": "",
		"--password": "", "--password-stdin": "", "--service-account-issuer": "",
	} {
		p := patterns{}
		got := ""
		if hidden, _ := p.hides(text, ""); hidden {
			got = p.hiddenArg(text)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestScrub(t *testing.T) {
	p := patterns{own: compiled([]string{`ACME-\d+`})}
	for text, want := range map[string]string{
		"exit 1": "exit 1",
		`Exec lifecycle hook ([mysql -uroot -phunter2 -e select 1]) for Container "main" in Pod "a_b(c)" failed - error: command 'mysql -uroot -phunter2 -e select 1' exited with 1: , message: "x"`: `Exec lifecycle hook ([REDACTED]) for Container "main" in Pod "a_b(c)" failed - error: command 'REDACTED' exited with 1: , message: "x"`,
		`Exec lifecycle hook ([/bin/sh -c echo hunter2 | docker login --password-stdin]) for Container "main"`:                                                                                       `Exec lifecycle hook ([REDACTED]) for Container "main"`,
		`Exec lifecycle hook ([/bin/sh -c login --password hunter2 && curl localhost:15020/quitqu`:                                                                                                   `Exec lifecycle hook ([REDACTED`,
		`Exec lifecycle hook ([curl -u a:b localhost:15020/quitquitquit]) for Container "main"`:                                                                                                      `Exec lifecycle hook ([REDACTED (mentions :15020/quitquitquit)]) for Container "main"`,
		`Exec lifecycle hook ([app -phunter2]) for Container "main"`:                                                                                                                                 `Exec lifecycle hook ([REDACTED]) for Container "main"`,
		`Exec lifecycle hook ([/bin/sh -c sleep 5]) for Container "main"`:                                                                                                                            `Exec lifecycle hook ([/bin/sh -c sleep 5]) for Container "main"`,
		`unable to start container process: exec: "app --password hunter2": executable file not found in $PATH: unknown`:                                                                             `unable to start container process: exec: "REDACTED": executable file not found in $PATH: unknown`,
		"+ mysql -uroot -phunter2 db":              "+ REDACTED",
		"running curl -u me:hunter2 x":             "running curl REDACTED",
		"sshpass -p hunter2 ssh x\nexit 1":         "REDACTED\nexit 1",
		"login failed: password=x for y\nnext":     "login failed: REDACTED\nnext",
		"user me, password: x":                     "user me, REDACTED",
		"password:\n  x\nnext":                     "REDACTED\n  REDACTED\nnext",
		"got --token x":                            "got REDACTED",
		"a\n-----BEGIN X KEY-----\nb\nc":           "a\nREDACTED",
		"-----BEGIN X-----\nb\n-----END X-----\nc": "REDACTED\nc",
		"to postgres://u:p@db/x":                   "to postgresREDACTED",
		"ticket ACME-12 is open":                   "ticket REDACTED",
		`secret "db" not found`:                    `secret "db" not found`,
		`MountVolume.SetUp failed for volume "istio-token" : configmap "istio-ca-root-cert" not found`:                                `MountVolume.SetUp failed for volume "istio-token" : configmap "istio-ca-root-cert" not found`,
		`MountVolume.SetUp failed for volume "istio-token" : failed to fetch token: hunter2`:                                          `MountVolume.SetUp failed for volume "istio-token" : failed to fetch REDACTED`,
		`"MountVolume.SetUp failed for volume \"db-password\" : secret \"db-password\" not found"`:                                    `"MountVolume.SetUp failed for volume \"db-password\" : secret \"db-password\" not found"`,
		`MountVolume.SetUp failed for volume "istio-token" : password=hunter2`:                                                        `MountVolume.SetUp failed for volume "istio-token" : REDACTED`,
		`failed for volume "x", "token" : hunter2`:                                                                                    `failed for volume "x", "REDACTED`,
		`the volume "token" : hunter2`:                                                                                                `the volume "REDACTED`,
		`spec: Duplicate value: "istio-proxy"`:                                                                                        `spec: Duplicate value: "istio-proxy"`,
		`spec.template: Invalid value: core.PodTemplateSpec{Env:[]core.EnvVar{core.EnvVar{Name:"A", Value:"x"}}}: field is immutable`: "spec.template: REDACTED",
		`{Name: "A", Value: "x"}`: `{Name: "A", REDACTED`,
		"spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always": "spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
	} {
		got, changed := p.scrub(text)
		if got != want || changed != (got != text) {
			t.Errorf("%q: got %q (changed: %t), want %q", text, got, changed, want)
		}
		if again, changed := p.scrub(got); again != got || changed {
			t.Errorf("%q: scrubbed again it is %q", got, again)
		}
	}
}

// The quick look before the expressions must not hide what they would find.
func FuzzFormed(f *testing.F) {
	for _, s := range []string{"hf_abCDef", "npm_a1b2", "dckr_pat_x", "https://h/x?a=b&key=x", "https://hooks.slack.com/services/T0/B0/x", "jdbc:oracle:thin:scott/x@//h:1521/s", "password=x", "https://u:p@h/", "Bearer abc", "eyJhbGciOi.x", "AKIAIOSFODNN7", "x: y", "imagePullSecrets=[]", `failed for volume "istio-token" : x`, "K\u0130Y=ACCESS"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		low := strings.ToLower(s)
		slow := len(s) >= 4 && (formsRx.MatchString(s) || loweredRx.MatchString(low) || namedRx.MatchString(namesRx.ReplaceAllString(low, "")))
		if formed(s) != slow {
			t.Errorf("%q: formed %t, the expressions say %t", s, formed(s), slow)
		}
	})
}
