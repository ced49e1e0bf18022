package redact

import (
	"regexp"
	"slices"
	"strings"
)

// The lists are those of collect/collect.sh, so that a bundle of the collector and a redacted one of another tool hold
// the same; a test compares them. docs/redaction.md explains them.
const (
	// secretWord is what names a secret, in lower case.
	secretWord = `(pass|pwd|secret|token|credential|(api|access|private|signing|encryption|account|shared)[-_. ]?key|connection[-_ ]?string)[a-z0-9_.-]*`
	// beforeFlag is what may stand before a flag: a quote, a bracket, a blank, the letter of an escape such as \n; no
	// part of a word.
	beforeFlag = `(^|[^a-z0-9_.-]|\\([ux][0-9a-f]*)?[0-9a-z])`
	// inArgs is what else hides an argument, in lower case, typedArgs that part of it which hides a command line anywhere.
	inArgs    = secretWord + ` *:|` + typedArgs + `|^-p[^ ]|` + beforeFlag + `--?[a-z0-9_.-]*` + secretWord
	typedArgs = beforeFlag + `(-u|--user)[ =]*[^ ]*:[^ ]|(mysql|mariadb)[a-z_-]*[^a-z0-9_.:/-].*-p[^ ]|sshpass|redis-cli.*[^a-z0-9_.-]-a[^a-z0-9_.-]|ldap[a-z]*[^a-z0-9_.:/-].*[^a-z0-9_.-]-w[^a-z0-9_.-]|--from-literal|--(auth|pw|key)[= ]+[^ /]`
	// keptEnv are the variables whose values the analysis lives on.
	keptEnv = `^(ENABLE_NATIVE_SIDECAR[A-Z_]*|PILOT_ENABLE[A-Z0-9_]*|(ISTIO_META_)?CLUSTER_ID|CA_ADDR|REVISION|ISTIO_META_(ISTIO_VERSION|APP_CONTAINERS|INTERCEPTION_MODE|WORKLOAD_NAME|OWNER)|EXIT_ON_ZERO_ACTIVE_CONNECTIONS|(MINIMUM|TERMINATION)_DRAIN_DURATION(_SECONDS)?|GOMEMLIMIT|GOMAXPROCS|JWT_POLICY|EXTERNAL_ISTIOD|POD_NAMESPACE|NATIVE_SIDECAR|KRUISE_TERMINATE[A-Z_]*)$`
	// keptNotes are annotations of which values of one line stay, droppedNotes those among them that hold anything
	keptNotes = `(^|[./])(istio|linkerd|kuma|dapr|helm|kubernetes|x-k8s|openshift|prometheus)\.(io|sh)/|^workflows\.argoproj\.io/node-name$`
	// (what people and commands write there, too).
	droppedNotes = `user[vV]olume|[-/]env|[-/]command|inject-template|change-cause|description|display-name|` + secretWord
	// plainNote is a value that is a switch or a small number, under whatever name.
	plainNote = `^([Tt]rue|[Ff]alse|yes|no|on|off|auto|enabled|disabled|[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?)$`
	// keptValues are keys of the chart's values whose text stays.
	keptValues = `^(ENABLE_NATIVE_SIDECAR[A-Z_]*|PILOT_ENABLE.*|compatibilityVersion|revision|hub|tag|image|clusterName|istioNamespace|policy|profile|platform|defaultTemplates|reinvocationPolicy|variant)$`
	// proxyKeys are the settings of a proxy's configuration that stay.
	proxyKeys = `^(discoveryAddress|holdApplicationUntilProxyStarts|terminationDrainDuration|drainDuration|ENABLE_NATIVE_SIDECARS|EXIT_ON_ZERO_ACTIVE_CONNECTIONS|MINIMUM_DRAIN_DURATION)$`
	// templateLines are the lines of the injector's template that decide where the proxy goes.
	templateLines = `[nN]ativeSidecar|NATIVE_SIDECAR|^ *(initContainers|containers|spec|metadata):$|^ *(- )?name: [A-Za-z0-9-]+$|^ *restartPolicy:`
	// forms are those of well-known tokens and keys, as written; loweredForms those of URLs and headers.
	forms        = `eyJ[A-Za-z0-9_-]+\.|A[KS]IA[A-Z0-9]|-----BEGIN|gh[pousr]_[A-Za-z0-9]|github_pat_|gl(pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9]|xox[abeprs]-|xapp-[0-9]|AIza[A-Za-z0-9]|ya29[.]|GOCSPX-|npm_[A-Za-z0-9]*[A-Z0-9]|hf_[A-Za-z0-9]*[A-Z0-9]|dckr_pat_`
	loweredForms = `:\/\/[^\/@ ]*:[^\/@ ]*@|https?:\/\/[^\/@ ]+@|bearer +[a-z0-9]|authorization[\\"' ]*[:=]|[?&](sig|key|apikey)=|hooks[.]slack[.]com\/|jdbc:oracle:[a-z]*:[^\/@ ]*\/[^@ ]*@`
	// namedForm is a named secret with its value.
	namedForm = secretWord + `([\\"' ]*=[\\"' ]*[^\\"' ]|[\\"']+ *:)`
	// stops is what in a command line ends a proxy, or waits for one: it is kept of an argument that is hidden.
	stops = `:[0-9]+\/(quitquitquit|drain|shutdown|v1\.0\/shutdown)|(pilot-agent +request +POST +\/?)?quitquitquit|\/agent\/v1\/quit|graceful_shutdown|linkerd-await|scuttle|kubexit|(pkill|killall) [a-z0-9 -]*(pilot-agent|envoy|istio-proxy)`
	// stopWords are words of which each text that stops a proxy holds one, in lower case.
	stopWords = `quit|kill|drain|shutdown|await|scuttle|kubexit|kruise`
)

var (
	argWords    = regexp.MustCompile(inArgs)
	envNames    = regexp.MustCompile(keptEnv)
	noteKeys    = regexp.MustCompile(keptNotes)
	noteDropped = regexp.MustCompile(droppedNotes)
	noteValue   = regexp.MustCompile(plainNote)
	valueKeys   = regexp.MustCompile(keptValues)
	proxyKeyRx  = regexp.MustCompile(proxyKeys)
	templateRx  = regexp.MustCompile(templateLines)
	formsRx     = regexp.MustCompile(forms)
	loweredRx   = regexp.MustCompile(loweredForms)
	namedRx     = regexp.MustCompile(namedForm)
	namesRx     = regexp.MustCompile(namesOnly)
	stopsRx     = regexp.MustCompile(stops)
	stopWordsRx = regexp.MustCompile(stopWords)
	// severalWords is what a flag or a name alone does not hold.
	severalWords = regexp.MustCompile(`[^A-Za-z0-9_./-]`)
	longRun      = regexp.MustCompile(`[A-Za-z0-9+=]{40}`)
	secretFlag   = regexp.MustCompile(`^--?[a-z0-9_.-]*` + secretWord + `$|^(-a|--(auth|pw|key))$`)
	secretKeyRx  = regexp.MustCompile(`^(password|passwd|passphrase|token|apikey|secretkey|accesskey)$`)
)

// namesOnly looks like a secret with a value, and is a list of names, or the name of a volume as the kubelet quotes it:
// MountVolume.SetUp failed for volume "istio-token" : ...
const namesOnly = `imagepullsecrets|failed for volume \\*"[a-z0-9.-]+\\*" :`

// patterns decides by the form of a text. The lists above always hold; own are those of --pattern.
type patterns struct{ own []*regexp.Regexp }

// What must stand in a text for one of the forms to match: looking for these first is many times as fast.
var (
	formStarts    = []string{"eyJ", "AKIA", "ASIA", "-----BEGIN", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "gl", "xox", "xapp-", "AIza", "ya29.", "GOCSPX-", "npm_", "hf_", "dckr_pat_"}
	loweredStarts = []string{"://", "bearer", "authorization", "sig=", "key=", "hooks.slack", "oracle"}
	wordStarts    = []string{"pass", "pwd", "secret", "token", "credential", "key", "connection"}
)

func containsAny(t string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(t, part) })
}

// formed says that a text has the form of a secret, whatever it belongs to.
func formed(t string) bool {
	if len(t) < 4 {
		return false
	}
	if containsAny(t, formStarts) && formsRx.MatchString(t) {
		return true
	}
	low := strings.ToLower(t)
	if containsAny(low, loweredStarts) && loweredRx.MatchString(low) {
		return true
	}
	if !strings.ContainsAny(low, "=:") || !containsAny(low, wordStarts) {
		return false
	}
	return namedRx.MatchString(namesRx.ReplaceAllString(low, ""))
}

// secret says that a text must not stay: by its form, or by a pattern of the user's.
func (p patterns) secret(t string) bool { return p.matched(t) || formed(t) }

// whyTaken tells what made a text one that must not stay: its form goes before a pattern of the user's.
func whyTaken(t string) string {
	if formed(t) {
		return ofForm
	}
	return ofOwn
}

func (p patterns) matched(t string) bool {
	for _, rx := range p.own {
		if rx.MatchString(t) {
			return true
		}
	}
	return false
}

// hides says that an argument must not stay. after is what the argument before it makes of this one: "" nothing, ":" a
// secret if it has a colon, "." a secret in any case. next is the same for the argument that follows.
func (p patterns) hides(t, after string) (hidden bool, next string) {
	low := strings.ToLower(t)
	switch {
	case low == "-u" || low == "--user":
		next = ":"
	case secretFlag.MatchString(low):
		next = "."
	}
	switch {
	case after == "." && t != "", after == ":" && strings.Contains(t, ":"):
		return true, next
	case p.secret(t):
		return true, next
	case (severalWords.MatchString(t) || strings.HasPrefix(t, "-p")) && argWords.MatchString(low):
		return true, next
	}
	return longRun.MatchString(t), next
}

// NoStop stands behind the mark of an argument in which nothing stood that stops a proxy.
const NoStop = " (stops no proxy)"

// hiddenArg is what stands for an argument: the mark, and what in the argument would stop a proxy, or that nothing would.
func (p patterns) hiddenArg(t string) string {
	text := p.hiddenText(t)
	if text == Mark && !stopWordsRx.MatchString(strings.ToLower(t)) {
		return Mark + NoStop
	}
	return text
}

// hiddenText is the same for a command line that is no container's own.
func (p patterns) hiddenText(t string) string {
	found := stopsRx.FindAllString(t, 4)
	text := Mark + " (mentions " + strings.Join(found, ", ") + ")"
	if len(found) == 0 || p.secret(text) {
		return Mark
	}
	return text
}

// hidesAny says that one of the words of a command line must not stay.
func (p patterns) hidesAny(words []string) bool {
	after := ""
	for _, w := range words {
		var hidden bool
		if hidden, after = p.hides(w, after); hidden && !hasMark(w) {
			return true
		}
	}
	return p.secret(strings.Join(words, " "))
}
