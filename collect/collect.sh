#!/bin/sh
# collect.sh - copies out of a cluster what explains why a Job with a sidecar has not completed, into one tarball.
# Read-only: the only kubectl verbs are get, describe, version, auth can-i and config current-context; every command
# stands under "What is asked" below; --dry-run prints them as far as none is refused. Never Secrets, of ConfigMaps only those named there.
# What kubectl prints goes through a pipe into the filter below: only the filtered text reaches the disk.
# Needs a POSIX shell, awk, sed, tar, gzip, mkfifo, and kubectl or oc. docs/collector.md says the same at length.
set -u && umask 077                                           # all that is written is for its owner only
LC_ALL=C COPYFILE_DISABLE=1 && export LC_ALL COPYFILE_DISABLE # bytes, not characters; no AppleDouble files in the tarball
TOOL=sidecar-must-gather VERSION=0.1.0 KUBECTL=kubectl CONTEXT='' KCONFIG='' OUT=. NAMESPACES='' JOB='' SELECTOR='' ISTIO=''
REDACT=true DRY='' ANSWERED='' REQUEST=30 LIMIT=120 BUDGET=900 CHUNK=500 MAX=52428800 OWNER='' JOBS=''
usage() { cat <<'EOF'
usage: collect.sh [options]     writes sidecar-must-gather-<context>-<UTC time>.tar.gz
  -n, --namespaces A,B       only these namespaces (default: all, or those that may be read)
      --job NAME             only this Job and those of this CronJob, and their pods, with the events and CronJobs beside them
  -l, --selector SELECTOR    only Jobs and pods with these labels
      --istio-namespace NS   where istiod is, should it not be found by its label or in istio-system
      --context NAME         kubeconfig context            --kubeconfig FILE  kubeconfig file
      --kubectl PATH         kubectl or oc                 --output DIR       where the tarball goes (.)
      --request-timeout S    seconds for one request (30)  --timeout S        seconds for one command (120)
      --run-timeout S        seconds for the run (900)     --chunk-size N     objects per request (500)
      --max-bytes N          cap for each file (52428800)  --dry-run          print the commands, run nothing
      --no-redact            keep environment values, annotations, arguments and messages as they are
exit status: 0 all was answered; 3 a bundle, but something is missing from it; 1 no bundle; 2 usage;
             129, 130, 143 stopped by a signal, a bundle of what had been answered by then
EOF
}
die() { printf 'collect.sh: %s\n' "$2" >&2; exit "$1"; }
plain() { printf %s "$1" | tr -c '\n -~' '?'; } # what is printed has no control bytes, whatever a cluster is called
json() { tr -c '\n -~' '?' | sed 's/[\\"]/\\&/g' | awk '{ s = s (NR > 1 ? "\\n" : "") $0 } END { printf "\"%s\"", s }'; }
list() { # JSON strings in plain ASCII: no cut or foreign byte can break the manifest; in $(...) only, for the trap
  trap '' HUP INT TERM && comma='' && for w in "$@"; do
    printf %s "$comma" && comma=', ' && case $w in *[!A-Za-z0-9\ _./:=,@%+*-]*) printf '%s\n' "$w" | json ;; *) printf '"%s"' "$w" ;; esac
  done
}
name() { case $2 in '' | [,.-]* | *[!a-z0-9.,-]*) die 2 "$1: not a name: $2" ;; esac; }
number() { case $2 in '' | 0* | *[!0-9]*) die 2 "$1: not a positive number: $2" ;; esac; }
ARGUMENTS=$(list "$@")
while [ $# -gt 0 ]; do
  case $1 in --?*=*) opt=${1%%=*} val=${1#*=} && shift && set -- "$opt" "$val" "$@" ;; esac
  opt=$1 && shift
  case $opt in
    -h | --help) usage; exit 0 ;; --version) echo "$TOOL $VERSION"; exit 0 ;;
    --dry-run) DRY=1 && continue ;; --no-redact) REDACT=false && continue ;;
  esac
  [ $# -gt 0 ] || die 2 "$opt: unknown, or its value is missing (see --help)"
  val=$1 && shift
  case $opt in # what becomes part of a path or a number is checked
    -n | --namespace | --namespaces) name "$opt" "$val" && NAMESPACES=$(echo "$NAMESPACES,$val" | tr , '\n' | sort -u) ;;
    --istio-namespace) name "$opt" "$val" && ISTIO="$ISTIO,$val" ;;
    --job) case $val in *,*) die 2 "$opt: one name only: $val" ;; esac; name "$opt" "$val" && JOB=$val ;; -l | --selector) SELECTOR=$val ;;
    --context) CONTEXT=$val ;; --kubeconfig) KCONFIG=$val ;; --kubectl) KUBECTL=$val ;; --output) OUT=$val ;;
    --timeout) number "$opt" "$val" && LIMIT=$val ;; --request-timeout) number "$opt" "$val" && REQUEST=$val ;;
    --run-timeout) number "$opt" "$val" && BUDGET=$val ;; --chunk-size) number "$opt" "$val" && CHUNK=$val ;;
    --max-bytes) number "$opt" "$val" && MAX=$val ;; *) die 2 "$opt: unknown option (see --help)" ;;
  esac
done
[ -z "$JOB" ] || [ -z "$SELECTOR" ] || die 2 "--job and --selector exclude each other"

# ---- A working folder beside the result: a rename at the end cannot leave half a tarball ----
STARTED=$(date -u +%Y-%m-%dT%H:%M:%SZ) BEGAN=$(date +%s) && NOW=$BEGAN STOP='' CUT=false STEP=0 MISSED='' CAN='' kpid='' filter='' W=/nonexistent
if [ -z "$DRY" ]; then
  command -v "$KUBECTL" >/dev/null 2>&1 || die 1 "$KUBECTL: no such command; install kubectl or oc, or say with --kubectl where it is"
  W=$OUT; OUT=$(CDPATH='' && cd -- "$W" 2>/dev/null && pwd) || die 1 "--output: no such folder, make it first: $W"
  W=$(mktemp -d "$OUT/.$TOOL.XXXXXX" 2>/dev/null) || { W="$OUT/.$TOOL.$$" && mkdir "$W"; } || die 1 "cannot write to $OUT (see --output)"
  trap 'rm -rf "$W"' EXIT && mkdir "$W/bundle" && mkfifo "$W/pipe"
  [ -p "$W/pipe" ] || die 1 "no named pipe can be made in $OUT (see --output)"
  stopped() { trap '' HUP INT TERM && STOP=$1 CUT=true && true >"$W/stop" && [ -n "$kpid" ] && kill -TERM "$kpid" "$filter" 2>/dev/null; }
  trap 'stopped 129' HUP && trap 'stopped 130' INT && trap 'stopped 143' TERM # and still packs what there is
  # ---- The filter: redacts what kubectl prints and sorts the objects of a list into namespaces/<ns>/... ----
  # In kubectl's YAML the rest of a value never stands on a column at or left of its key. So a value is its line and all
  # deeper lines after it, whatever they look like; any other line must be a key or a list item, or the object is left
  # out and counted: the filter fails closed.
  cat >"$W/filter.awk" <<'EOF' || die 1 "cannot write to $OUT; is the disk full?"
BEGIN { # What names a secret, what else hides an argument, and what is kept. docs/collector.md explains these lists.
  for (i = 0; i < 40; i++) run40 = run40 "[A-Za-z0-9+=]"; flag = "(^|[^a-z0-9_.-]|\\\\([ux][0-9a-f]*)?[0-9a-z])" # what stands before a flag: \n, too
  word = "(pass|pwd|secret|token|credential|(api|access|private|signing|encryption|account|shared)[-_. ]?key|connection[-_ ]?string)[a-z0-9_.-]*"
  inargs = word " *:|" flag "(-u|--user)[ =]*[^ ]*:[^ ]|(mysql|mariadb)[a-z_-]*[^a-z0-9_.:/-].*-p[^ ]|sshpass|redis-cli.*[^a-z0-9_.-]-a[^a-z0-9_.-]|ldap[a-z]*[^a-z0-9_.:/-].*[^a-z0-9_.-]-w[^a-z0-9_.-]|--from-literal|--(auth|pw|key)[= ]+[^ /]|^-p[^ ]|" flag "--?[a-z0-9_.-]*" word
  keepenv = "^(ENABLE_NATIVE_SIDECAR[A-Z_]*|PILOT_ENABLE[A-Z0-9_]*|(ISTIO_META_)?CLUSTER_ID|CA_ADDR|REVISION|ISTIO_META_(ISTIO_VERSION|APP_CONTAINERS|INTERCEPTION_MODE|WORKLOAD_NAME|OWNER)|EXIT_ON_ZERO_ACTIVE_CONNECTIONS|(MINIMUM|TERMINATION)_DRAIN_DURATION(_SECONDS)?|GOMEMLIMIT|GOMAXPROCS|JWT_POLICY|EXTERNAL_ISTIOD|POD_NAMESPACE|NATIVE_SIDECAR|KRUISE_TERMINATE[A-Z_]*)$"
  keepnote = "(^|[./])(istio|linkerd|kuma|dapr|helm|kubernetes|x-k8s|openshift|prometheus)\\.(io|sh)/|^workflows\\.argoproj\\.io/node-name$"
  dropnote = "user[vV]olume|[-/]env|[-/]command|inject-template|change-cause|description|display-name|" word
  keepvalue = "^(ENABLE_NATIVE_SIDECAR[A-Z_]*|PILOT_ENABLE.*|compatibilityVersion|revision|hub|tag|image|clusterName|istioNamespace|policy|profile|platform|defaultTemplates|reinvocationPolicy|variant)$"
  split("discoveryAddress holdApplicationUntilProxyStarts terminationDrainDuration drainDuration ENABLE_NATIVE_SIDECARS EXIT_ON_ZERO_ACTIVE_CONNECTIONS MINIMUM_DRAIN_DURATION", proxykey, " ")
  keeppart = object ~ /^kubelet/ ? "^featureGates$" : "^(policy|defaultTemplates|alwaysInjectSelector|neverInjectSelector)$"
  keepline = object ~ /^kubelet/ ? "^(apiVersion|kind):" : "^(templates|aliases):$|^  [A-Za-z0-9-]+: *[|][-+]?$|[nN]ativeSidecar|NATIVE_SIDECAR|^ *(initContainers|containers|spec|metadata):$|^ *(- )?name: [A-Za-z0-9-]+$|^ *restartPolicy:"
  redact = redact == "true"; single = mode == "object"; bare = dest ~ /%.*%/; drop = -1; R = "REDACTED"; frame = "apiVersion: v1\nkind: List\nitems:\n"
}
function secret(t, l) { # has the form of a secret, or quotes a command line with one; names alone are none: of imagePullSecrets, of a volume
  l = tolower(t)
  if (t ~ /eyJ[A-Za-z0-9_-]+\.|A[KS]IA[A-Z0-9]|-----BEGIN|gh[pousr]_[A-Za-z0-9]|github_pat_|gl(pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9]|xox[abeprs]-|xapp-[0-9]|AIza[A-Za-z0-9]|ya29[.]|GOCSPX-|npm_[A-Za-z0-9]*[A-Z0-9]|hf_[A-Za-z0-9]*[A-Z0-9]|dckr_pat_/ ||
    l ~ /:\/\/[^\/@ ]*:[^\/@ ]*@|https?:\/\/[^\/@ ]+@|bearer +[a-z0-9]|authorization[\\"' ]*[:=]|[?&](sig|key|apikey)=|hooks[.]slack[.]com\/|jdbc:oracle:[a-z]*:[^\/@ ]*\/[^@ ]*@/ || l ~ /: +exec |(exec|hook|command)(: | +[^ a-z])/ && l ~ (inargs "|" flag "-(p[^ ]|a +[^ ])")) return 1
  if (l ~ /[=:]/) gsub(/imagepullsecrets|failed for volume \\*"[a-z0-9.-]+\\*" :/, "", l); else return 0
  return l ~ /(pass|pwd|secret|token|credential|(api|access|private|signing|encryption|account|shared)[-_. ]?key|connection[-_ ]?string)[a-z0-9_.-]*([\\"' ]*=[\\"' ]*[^\\"' ]|[\\"']+ *:)/
}
function hidden(t) { # an argument, but for what in it would stop a proxy
  return match(t, /:[0-9]+\/(quitquitquit|drain|shutdown|v1\.0\/shutdown)|(pilot-agent +request +POST +\/?)?quitquitquit|\/agent\/v1\/quit|graceful_shutdown|linkerd-await|scuttle|kubexit|(pkill|killall) [a-z0-9 -]*(pilot-agent|envoy|istio-proxy)/) ? quote(R " (mentions " substr(t, RSTART, RLENGTH) ")") : tolower(t) ~ /quit|kill|drain|shutdown|await|scuttle|kubexit|kruise/ ? R : R " (stops no proxy)"
}
function quote(t) { gsub(/'/, "''", t); return t == "" ? R : "'" t "'" }
# ---- JSON inside a value, reduced; "" when it cannot be followed. m == "pod": names and restartPolicy of containers,
# nested as they were (the proof that a restartPolicy was stripped). Else: every key, but text only below keepvalue. ----
function jput(s) { J = J jcomma[jd] (jtype[jd] == "{" ? "\"" jname[jd] "\":" : "") s; jcomma[jd] = "," }
function jopen(c, m, k) {
  k = jtype[jd] == "{" ? jname[jd] : jlist[jd]; if (jd ? jtype[jd] == "{" && !jcolon[jd] : J != "") jbad = 1
  jskip[jd + 1] = jskip[jd] || m == "pod" && k !~ /^(metadata|spec|template|jobTemplate|containers|initContainers)?$/
  if (!jskip[jd + 1]) jput(c)
  jtype[++jd] = c; jlist[jd] = k; jcomma[jd] = jname[jd] = jcolon[jd] = ""
}
function jtext(v, m, k) { # a key or a value
  if (jtype[jd] == "{" && !jcolon[jd]) { jname[jd] = substr(v, 2, length(v) - 2); if (v !~ /^"/) jbad = 1; return }
  k = jtype[jd] == "{" ? jname[jd] : jlist[jd]; if (!jd || v !~ /^("|true$|false$|null$|-?[0-9])/) jbad = 1
  if (m != "pod") jput(v !~ /^"/ || k ~ keepvalue && !secret(v) ? v : "\"" R "\"")
  else if (!jskip[jd] && k ~ /^(apiVersion|kind|name|namespace|restartPolicy)$/ && v ~ /^"[A-Za-z0-9.:\/_-]*"$/) jput(v)
}
function reduced(t, m, part, n, i, j, c, s) {
  J = jtype[0] = jlist[0] = jcomma[0] = ""; jd = jbad = jskip[0] = 0; n = split(t, part, /"/)
  for (i = 1; i <= n && !jbad; i++) { # odd parts stand outside strings, even ones inside
    for (j = 1; j <= length(part[i]) + 1; j++) {
      if ((c = substr(part[i], j, 1)) ~ /[A-Za-z0-9.+-]/) { s = s c; continue }
      if (s != "") { jtext(s, m); s = "" }
      if (c == "{" || c == "[") jopen(c, m)
      else if (c == "}" || c == "]") { if (jtype[jd] != (c == "}" ? "{" : "[")) { jbad = 1; break } if (!jskip[jd]) J = J c; jd-- }
      else if (c == "," || c == ":") jcolon[jd] = c == ":"
      else if (c !~ /^[ \n\t\r]?$/) jbad = 1
    }
    if (i == n) break
    for (s = part[++i]; s ~ /\\$/ && s ~ /(^|[^\\])(\\\\)*\\$/ && i < n; ) s = s "\"" part[++i]
    jtext("\"" s "\"", m); s = ""
  }
  return jbad || jd ? "" : J
}
function proxyconfig(t, i, v, plain, env) { # the settings in proxykey, however the text writes them
  for (i = 1; i in proxykey; i++) if (match(t, proxykey[i] "[\"']? *: *[\"']?[A-Za-z0-9.:_-]+")) {
    v = substr(t, RSTART, RLENGTH); sub(/^[^:]*: *["']*/, "", v)
    if (proxykey[i] ~ /^[A-Z]/) env = env ",\"" proxykey[i] "\":\"" v "\""
    else plain = plain ",\"" proxykey[i] "\":" (v ~ /^(true|false)$/ ? v : "\"" v "\"")
  }
  return "{" substr(plain (env == "" ? "" : ",\"proxyMetadata\":{" substr(env, 2) "}"), 2) "}"
}
# ConfigMaps: of the injector's template the lines that decide where the proxy goes, of the kubelet's configuration its gates
function configmap(k, t, n, i, p, s, part) {
  if (object ~ /^(istio-sidecar-injector|values)/ && k ~ /values$/) return quote(reduced(t, "values"))
  if (object ~ /^istio($|-)/ && k == "mesh") return quote("{\"defaultConfig\":" proxyconfig(t) "}")
  if (object k !~ /^(istio-sidecar-injector.*config|kubelet-config.*kubelet)$/) return R
  n = split(t, p, "\n")
  for (i = 1; i <= n; i++) {
    if (p[i] ~ /^[A-Za-z]+:/) { part = p[i]; sub(/:.*/, "", part) }
    if ((part ~ keeppart || p[i] ~ keepline) && !secret(p[i])) s = s "\n      " p[i]
  }
  return s ~ /^\n      [A-Za-z]/ ? "|" s : R
}
function verdict(t, k, up, old) { # what stands instead of the value t of key k (below the key up), or "" to keep it
  if (k == "name") ename = t
  if (top == 2 && K[1] == "metadata") { if (k == "name") { name = t; if (t == owner) owned = 1 } if (k == "namespace") ns = t }
  if (top == 3 && K[1] == "metadata" && up == "ownerReferences") { if (k == "kind") kind = t; if (k == "name" && kind == "CronJob" && t == owner) owned = 1 }
  if (!redact) return ""
  if (k == "value" && up == "env" && ename == "PROXY_CONFIG") return quote(proxyconfig(t))
  if (k == "value" && up ~ /^(env|httpHeaders)$/) return up == "env" && ename ~ keepenv && !secret(t) ? "" : R
  if (up == "annotations") {
    if (k ~ /last-applied-configuration$|^proxy\.istio\.io\/overrides$/) return quote(reduced(t, "pod"))
    if (k == "proxy.istio.io/config") return quote(proxyconfig(t))
    if (t ~ /^([Tt]rue|[Ff]alse|yes|no|on|off|auto|enabled|disabled|[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?)$/) return ""
    return k ~ keepnote && k !~ dropnote && !more && !secret(t) ? "" : R
  }
  if (single && top == 2 && K[1] ~ /^(data|binaryData)$/) return configmap(k, t)
  if (k == "message" && up == "terminated" || k == "caBundle" || up ~ /^(volumeAttributes|options)$/) return R
  if (k == "" && up ~ /^(args|command)$/) { # a flag that names a secret hides the argument after it; that may be the first of args, which stand before command
    old = after; of = up; after = t ~ /^(-u|--user)$/ ? ":" : t ~ /^-/ && tolower(t) ~ ("^--?[a-z0-9_.-]*" word "$|^(-a|--(auth|pw|key))$") ? "." : ""
    return old != "" && t ~ old || secret(t) || t ~ /[^A-Za-z0-9_.\/-]|^-p/ && tolower(t) ~ inargs || length(t) >= 40 && t ~ run40 ? hidden(t) : ""
  }
  return secret(t) || tolower(k) ~ /^(password|passwd|passphrase|token|apikey|secretkey|accesskey)$/ ? R : ""
}
function bad(why) { if (broken == "") broken = why " in line " NR }
function text(t, i, l, q, n, p, s) { # what the lines of a value stand for
  q = substr(t, 1, 1)
  if (q == "|" || q == ">") { for (i = 1; i <= more; i++) s = s (i > 1 ? "\n" : "") substr(cont[i], col + 3); return s }
  for (i = 1; i <= more; i++) {
    l = cont[i]; sub(/^ +/, "", l)
    if (q == "\"" && t ~ /(^|[^\\])(\\\\)*\\$/) t = substr(t, 1, length(t) - 1) l
    else t = t (l == "" ? "\n" : t ~ /\n$/ ? l : " " l)
  }
  if (q == "'") { t = substr(t, 2, length(t) - 2); gsub(/''/, "'", t) }
  if (q != "\"") return t
  n = split(substr(t, 2, length(t) - 2), p, /\\/); s = p[1]
  for (i = 2; i <= n; i++) { l = substr(p[i], 1, 1); s = s (l == "" && i < n ? "\\" p[++i] : (l == "n" ? "\n" : l == "t" ? "\t" : l) substr(p[i], 2)) }
  return s
}
function closevalue(r, i) {
  opened = 0; r = verdict(text(val), key, key == "" ? K[top] : K[top - 1])
  out[++no] = head " " (r == "" ? val : r); if (first < 0 && key == "" && K[top] == "args") { first = more ? 0 : no; told = head; said = text(val) }; if (r == "") for (i = 1; i <= more; i++) out[++no] = cont[i]
}
function keyof(s, n) { # splits "key: value" and returns where the colon is; 0 when s is no such thing
  if (s ~ /^["']/) n = match(s, /^'([^']|'')*':( |$)|^"([^"\\]|\\.)*":( |$)/) ? RLENGTH - (substr(s, RLENGTH, 1) == " ") : 0
  else if (!(n = index(s, ": "))) n = s ~ /:$/ ? length(s) : 0
  key = substr(s, 1, n - (n > 0)); gsub(/^["']|["']$/, "", key); val = substr(s, n + (n ? 2 : 1)); return n
}
function line(l, n, pos, dash, rest, k) { # l: a line of an object, without the list's own two columns
  if (l ~ /\342\200[\250\251]|\302\205/) bad("a line break of Unicode") # awk does not break the line there
  if (broken != "") return
  n = match(l, /[^ ]/) - 1
  if (opened) { if (n < 0 || n > col) { cont[++more] = l; return } closevalue() }
  if (drop >= 0) { if (n < 0 || n > drop || n == drop && substr(l, n + 1, 2) == "- ") return; drop = -1 }
  dash = -1; for (pos = n; substr(l, pos + 1, 2) == "- "; pos += 2) { dash = pos; ename = "" }
  while (top > 0 && C[top] >= pos) top--
  rest = substr(l, pos + 1); k = keyof(rest)
  if (k) { if (after != "" && of == "command" && first > 0 && said ~ after) out[first] = told " " hidden(said); if (dash >= 0 || key == "args") first = -(key == "args"); head = substr(l, 1, pos + k); K[++top] = key; C[top] = col = pos; after = "" }
  else { head = substr(l, 1, pos - 1); col = dash }
  if (k && rest !~ /^[!-~]/ || rest ~ /^[#?-]( |$)/ || val ~ /^[&*!%@`#]|^[{[]./ && val != "{}" && val != "[]" || !k && dash < 0) { bad("unknown form"); return }
  more = 0; opened = val != ""
  if (val == "" && key == "managedFields") drop = pos; else if (val == "") out[++no] = l
}
function begin() { initem = 1; owned = no = top = opened = 0; drop = -1; broken = name = ns = ename = after = "" }
function enditem(path, dir, i, n) {
  if (opened) closevalue()
  if (ns == "" && bare) ns = name
  if (!top || dest ~ /%/ && ns !~ /^[a-z0-9][a-z0-9.-]*$/) bad("no object, or no namespace")
  path = dest; gsub(/%/, ns, path); initem = 0
  for (i = 1; i <= no; i++) { if (!bare && out[i] != "") out[i] = (i == 1 ? "- " : "  ") out[i]; n += length(out[i]) + 1 }
  if (broken != "") { if (!lost++) why = broken; return } if (owner != "" && !owned) return
  items++; if (size[path] + n > max) { cut++; return }
  if (last != "" && last != path) close(last) # few open files, however many namespaces
  if (size[path] == "") { dir = path; sub(/\/[^\/]*$/, "", dir); system("mkdir -p " dir); if (!bare) { printf "%s", frame >>path; n += length(frame) } }
  size[path] += n; wrote += n; last = path; for (i = 1; i <= no; i++) print out[i] >>path
}
# ---- kubectl describe. It is text, and a workload's messages can imitate it: only lines of known form are kept. ----
function described(l) {
  if (until != "") { if (l !~ until) return ""; until = "" } # a message goes on up to what kubectl prints behind it
  if (part !~ /^Events:/ ? l ~ /^[A-Z][A-Za-z -]*:/ : empty && l ~ /^Name: /) part = l; empty = l ~ /^ *$/
  if (l ~ /^ *Message:/) until = l ~ /^ / ? "^      Exit Code: +[0-9]+$" : "^(IP|IPs|SeccompProfile):"; if (l ~ /^ *(Command|Args|Environment|Annotations|Message):/) { skip = match(l, /[^ ]/); sub(/:.*/, ":  " R, l); return l }
  if (skip && (l ~ /^ *$/ || match(l, /[^ ]/) > skip)) return ""
  skip = 0; if (secret(l)) return R; if (dest == "describe/nodes.txt") return l; if (l ~ /^ +(Liveness|Readiness|Startup): +exec /) sub(/exec \[.*\]/, "exec [" R "]", l)
  if (part ~ /^(Events|Volumes):/) return l ~ /^Events:|^  (Type|----|Normal|Warning) / ? l : ""
  if (l ~ /^(Name|Namespace|Priority|Service Account|Node|Start Time|Status|Reason|IP|Controlled By|Init Containers|Containers|Ephemeral Containers|Conditions|QoS Class|Selector|Parallelism|Completions|Completion Mode|Suspend|Backoff Limit|Completed At|Duration|Pods Statuses|Pod Template|Active Deadline Seconds|Termination Grace Period|Schedule|Time Zone|Concurrency Policy|Starting Deadline Seconds|Last Schedule Time|Active Jobs):/) return l
  return l ~ /^ +([a-z0-9-]+:$|(Container ID|Image|Image ID|State|Last State|Ready|Restart Count|Reason|Exit Code|Signal|Started|Finished|Liveness|Readiness|Startup|Init Containers|Containers):)|^  [A-Z][A-Za-z]+ +(True|False|Unknown) *$/ ? l : ""
}
{ bytes += length($0) + 1; if (mode == "line") { print; next } }
mode == "stderr" { l = redact && secret($0) ? R : $0; if ((n += length(l) + 1) < max) print l; next }
mode == "raw" || mode == "text" { l = mode == "text" && redact ? described($0) : $0; if (l == "" && $0 != "") next; if (wrote + length(l) >= max) { cut++; next } print l >dest; wrote += length(l) + 1; next }
single { if (!initem) begin(); line($0); next }
/^items:/ { framed = 1; inlist = $0 == "items:"; next }
inlist && /^- / { if (initem) enditem(); begin(); line(substr($0, 3)); next }
inlist && initem && !/^[A-Za-z]/ { line(/^  / ? substr($0, 3) : $0); next }
/^[^ ]/ { if (initem) enditem(); if (/^kind: [A-Za-z]*List$/) whole = 1; else if (inlist && !/^metadata:/) framed = 0; inlist = 0 }
END { if (initem) enditem()
  if (mode == "list" && !(framed && whole)) why = "the list is cut short, or is no list"
  if (mode != "stderr") print bytes + 0, items + 0, lost + 0, cut + 0, wrote + 0, why >"../stats"
  if (why != "" && !lost) exit 3
}
EOF
fi
# ---- One command ----
watchdog() { # SECONDS PID FILTER MARK: whoever waits removes MARK when the command has ended by itself
  n=$1 && while [ "$n" -gt 0 ] && [ ! -e "$W/stop" ]; do sleep 1 && n=$((n - 1)) && [ -e "$4" ] || return 0; done
  [ -e "$W/stop" ] || true >"$W/late"; kill -TERM "$2" && sleep 1
  [ ! -e "$4" ] || kill -KILL "$2" "$3"
}
await() { status='' && until [ -n "$status" ] && ! kill -0 "$1" 2>/dev/null; do wait "$1" 2>/dev/null && status=0 || status=$?; done; } # a trapped signal ends wait early
classify() {
  case $(cat "$W/err") in
    *orbidden* | *Unauthorized* | *"logged in"*) class=forbidden ;;
    *"(NotFound)"* | *"have a resource type"* | *"context is not set"*) class=notFound ;;
    *"nable to connect"* | *refused* | *"no such host"* | *"no route"* | *unreachable* | *handshake* | *x509*) class=unreachable ;;
    *imeout* | *"timed out"* | *"deadline exceeded"*) class=timeout ;; *) class=other ;; esac
}
cmdline() { # as one could type it
  printf %s "$KUBECTL" && for w in "$@"; do case $w in *[!A-Za-z0-9_./:=,@%-]*) printf " '%s'" "$w" ;; *) printf ' %s' "$w" ;; esac; done
}
filtered() { (cd "$W/new" && exec awk -v mode="$1" -v dest="$2" -v object="$3" -v redact="$REDACT" -v max="$4" -v owner="$OWNER" -f "$W/filter.awk"); }
# run ID MODE DEST ARGUMENTS...: the answer enters the bundle only when kubectl exited 0, because without permission
# `get -A -o yaml` prints a valid empty list and exits 1. Whatever happens becomes a step of the manifest.
run() {
  id=$1 mode=$2 dest=$3 object='' class='' note='' rc=-1 bytes=0 items=0 lost=0 cut=0 wrote=0 why='' files='' && shift 3
  case $mode in list) set -- "$@" -o yaml "--chunk-size=$CHUNK" ;; object) object=$3 && set -- "$@" -o yaml ;; text) dest=$id.txt ;; esac
  set -- "$@" "--request-timeout=${REQUEST}s" ${CONTEXT:+"--context=$CONTEXT"} ${KCONFIG:+"--kubeconfig=$KCONFIG"}
  [ -z "$DRY" ] || { cmdline "$@"; echo; return 0; } # even where it cannot be printed
  t0=$NOW left=$((BEGAN + BUDGET - NOW)) && limit=$((left < LIMIT ? left : LIMIT)) && STEP=$((STEP + 1))
  # All fresh: a child that outlived an earlier kubectl may still hold that one's pipe.
  { rm -rf "$W/new" "$W/stats" "$W/late" "$W/pipe" "$W/err" && mkdir -p "$W/new/describe" && mkfifo "$W/pipe" && true >"$W/err" && true >"$W/live.$STEP"; } || die 1 "cannot write to $OUT; is the disk full?"
  if [ -n "$STOP" ]; then class=other note='not run: interrupted'
  elif [ "$limit" -le 0 ]; then class=timeout note='not run: the time for the whole run was spent'
  else
    filtered "$mode" "$dest" "$object" "$MAX" <"$W/pipe" >"$W/out" 2>"$W/err.filter" & filter=$!
    "$KUBECTL" "$@" </dev/null >"$W/pipe" 2>"$W/err" & kpid=$!
    watchdog "$limit" "$kpid" "$filter" "$W/live.$STEP" >/dev/null 2>&1 &
    await "$kpid" && rc=$status && await "$filter" && kpid=''
    [ ! -s "$W/stats" ] || read -r bytes items lost cut wrote why <"$W/stats"
    [ "$id" = context ] || case $rc$(cat "$W/err") in 0* | *"rror from server"*) ANSWERED=1 ;; esac
    if [ -e "$W/late" ]; then class=timeout note="stopped after $limit s"
    elif [ -n "$STOP" ]; then class=other note=interrupted
    elif [ "$rc" -ne 0 ]; then case $(cat "$W/out") in no*) ;; *) classify ;; esac
    elif [ "$status" -ne 0 ]; then class=other note="left out: ${why:-the filter failed, is the disk full? $(cat "$W/err.filter")}"
    elif [ "$(($(find "$W/new" -type f -exec cat {} + | wc -c)))" -ne "$wrote" ]; then class=other note='left out: not written whole, is the disk full?'
    else
      for f in $(cd "$W/new" && find . -type f | sed 's/^..//'); do # names made of DNS labels: the filter saw to it
        case $f in */*) mkdir -p "$W/bundle/${f%/*}" ;; esac
        if [ ! -f "$W/bundle/$f" ]; then mv "$W/new/$f" "$W/bundle/$f"
        elif [ "$mode$PICK" != list ]; then sed 1,3d "$W/new/$f" >>"$W/bundle/$f"; fi # else all are there already
        files="${files:+$files, }\"$f\""
      done
      [ "$lost" -eq 0 ] || note="$lost objects left out, the first: $why"
      [ "$cut" -eq 0 ] || note="cut at --max-bytes: $cut objects or lines left out"; [ -z "$STOP" ] || note=interrupted
    fi
  fi
  rm -rf "$W/live.$STEP" "$W/new" && mkdir "$W/new" && { NOW=$(date +%s) || NOW=$t0; } && errors='' && [ ! -s "$W/err" ] || errors=$(filtered stderr '' '' 2000 <"$W/err")
  [ -z "$errors" ] || printf '$ %s\n(exit %s)\n%s\n' "$(cmdline "$@")" "$rc" "$errors" >>"$W/bundle/errors.txt"; w=$(list "$(cmdline "$@")") n=$(list "$note") e=$(list "$errors")
  printf '    {"id": "%s", "command": %s, "exit": %s, "seconds": %s, "bytes": %s, "items": %s, "files": [%s], "errorClass": "%s", "note": %s, "stderr": %s}\n' \
    "$id" "${w:-\"\"}" "$rc" "$((NOW - t0))" "$bytes" "$items" "$files" "$class" "${n:-\"\"}" "${e:-\"\"}" >>"$W/steps" # "" where a signal ended list
  line=${class:-${note:+incomplete}} && line="$id: ${line:-ok}${note:+, $note}" && printf '  %s\n' "$line" >&2
  case $class$note:$id in :* | notFound:context | notFound:configmaps.* | notFound:kubelet-config) return 0 ;; esac
  need=$(printf %s "$errors" | awk -v note="$note" 'match($0, /cannot [a-z]* resource "[^"]*" in API group "[^"]*".*/) { r = "; needs the right to " substr($0, RSTART + 7); exit } note == "" && (r == "" || /^[Ee]rror|^Unable|^The connection/) { r = ": " substr($0, 1, 200) } END { if (r != "") print r }')
  [ "$STEP" -lt 3 ] || [ -n "$ANSWERED$STOP" ] || die 1 "no bundle, for the API server answers nothing: $(plain "$line$need"). This must work first (see --context, --kubeconfig, --kubectl): $(cmdline "$@")"
  missed "$line$need"
}
missed() { w=$(list "$1"); MISSED="${MISSED:+$MISSED, }${w:-\"\"}" && printf '  - %s\n' "$1" >>"$W/missing"; }
each() { # run in all namespaces; where that is forbidden or not wanted, in each of SPACES, or in the context's own
  eid=$1 emode=$2 edest=$3 wide='' && shift 3
  [ -n "$NARROW" ] || { run "$eid" "$emode" "$edest" "$@" --all-namespaces; [ "$class" = forbidden ]; } || { wide=1 && return 0; }
  for space in $SPACES; do run "$eid.$space" "$emode" "$edest" "$@" -n "$space"; done; [ -n "$SPACES" ] || run "$eid.here" "$emode" "$edest" "$@"
}

# ---- What is asked, the most telling first (lists and objects as YAML: run adds -o yaml) ----
PICK=$SELECTOR NARROW=$NAMESPACES$JOB SPACES=$NAMESPACES ALLPODS=''
run version raw version.json version -o json
run context line '' config current-context
NAME=${CONTEXT:-$(head -n 1 "$W/out" 2>/dev/null)}
for ns in $NAMESPACES; do run "namespaces.$ns" object 'namespaces/%/%.yaml' get namespaces "$ns"; done; [ -n "$NAMESPACES" ] || run namespaces list 'namespaces/%/%.yaml' get namespaces
[ -n "$NARROW" ] || SPACES=$(cd "$W/bundle/namespaces" 2>/dev/null && echo *)
named() { # the Jobs for --job that were found in SPACES, and what picks their pods
  JOBS=$(find "$W/bundle" -path "*/${SPACES:-*}/batch/jobs.yaml" -exec sed -n "s/^    name: ['\"]*\([a-z0-9.-]*\).*/\1/p" {} + 2>/dev/null | tr '\n' ' ')
  PICK="job-name in ($(printf %s "${JOBS:-$JOB }" | sed 's/ $//; s/ /,/g'))"
}
ONE=${JOB:+$NAMESPACES} WORKLOADS=$SPACES BEFORE=$MISSED # --job is looked for in one namespace after the other
for one in ${ONE:-.}; do
  [ "$one" = . ] || SPACES=$one
  OWNER=$JOB; each jobs list 'namespaces/%/batch/jobs.yaml' get jobs.batch ${SELECTOR:+"--selector=$SELECTOR"}; OWNER=''; [ -z "$JOB" ] || named
  each pods list 'namespaces/%/core/pods.yaml' get pods ${PICK:+"--selector=$PICK"}
done
SPACES=$WORKLOADS && [ -z "$PICK" ] && ALLPODS=$wide
[ -z "$PICK" ] || [ "$DRY$MISSED" != "$BEFORE" ] || [ -n "$(find "$W/bundle" -name jobs.yaml -o -name "pods.yaml$JOB")" ] ||
  missed "jobs: there is no Job${JOB:+ $JOB, and none that a CronJob $JOB made}${SELECTOR:+ and no pod with the labels $SELECTOR}"
each cronjobs list 'namespaces/%/batch/cronjobs.yaml' get cronjobs.batch
each events list 'namespaces/%/core/events.yaml' get events
run nodes list cluster-scoped-resources/core/nodes.yaml get nodes
run webhooks list cluster-scoped-resources/admissionregistration.k8s.io/mutatingwebhookconfigurations.yaml get mutatingwebhookconfigurations
NARROW='' SPACES=$(echo "istio-system$ISTIO" | tr , '\n' | sort -u) # what decides injection: istiod, and its ConfigMaps of every revision
each istiod-deployments list 'namespaces/%/apps/deployments.yaml' get deployments.apps --selector=app=istiod
each istiod-replicasets list 'namespaces/%/apps/replicasets.yaml' get replicasets.apps --selector=app=istiod
found=$(find "$W/bundle" -path '*/apps/deployments.yaml' 2>/dev/null | sed 's|/apps/.*||; s|.*/||') && NARROW=1 SPACES=${found:-$SPACES}
[ -n "$ALLPODS" ] || each istiod-pods list 'namespaces/%/core/pods.yaml' get pods --selector=app=istiod
[ -n "$ALLPODS" ] || run apiserver-pods list 'namespaces/%/core/pods.yaml' get pods --selector=tier=control-plane -n kube-system
revs=$(find "$W/bundle" \( -name deployments.yaml -o -name 'mutating*' \) -exec sed -n "s/^ *istio.io.rev: *['\"]*\([a-z0-9-]*\)['\"]*$/-\1/p" {} + 2>/dev/null | sort -u | sed '/^-default$/d')
for ns in $SPACES; do for rev in '' $revs; do for map in istio-sidecar-injector values istio; do
  run "configmaps.$ns.$map$rev" object 'namespaces/%/core/configmaps.yaml' get configmaps "$map$rev" -n "$ns"; done; done; done
run kubelet-config object 'namespaces/%/core/configmaps.yaml' get configmaps kubelet-config -n kube-system
NARROW=$NAMESPACES$JOB SPACES=$WORKLOADS
for one in ${ONE:-.}; do
  [ "$one" = . ] || SPACES=$one
  # shellcheck disable=SC2086 # names are words; a name that no Job has would be taken for the beginning of names
  if [ -z "$JOB" ] || { named && [ -n "$JOBS$DRY" ]; }; then each describe/jobs text '' describe jobs.batch ${JOBS:-$JOB} ${SELECTOR:+"--selector=$SELECTOR"}; fi
  each describe/pods text '' describe pods "--selector=${PICK:-job-name}"
done
SPACES=$WORKLOADS
each describe/cronjobs text '' describe cronjobs.batch
run describe/nodes text '' describe nodes
can() { # VERB RESOURCE NAMESPACE: a line of the table of permissions
  scope=--namespace=$3 && [ "$3" != '*' ] || scope=--all-namespaces
  run "can-i.$1.$2.$3" line '' auth can-i "$1" "$2" "$scope"
  can='' && if [ -s "$W/out" ]; then read -r can note <"$W/out" || :; fi && case $can in yes | no) ;; *) can=unknown ;; esac # "no" and perhaps why
  CAN="${CAN:+$CAN, }{\"verb\": \"$1\", \"resource\": \"$2\", \"namespace\": \"$3\", \"allowed\": \"$can\"}"
}
for what in pods jobs.batch cronjobs.batch events; do for ns in ${NAMESPACES:-'*'}; do can list $what "$ns"; done; done
for what in nodes namespaces deployments.apps replicasets.apps mutatingwebhookconfigurations; do can list "$what" '*'; done
can get configmaps/istio-sidecar-injector istio-system && can get configmaps/kubelet-config kube-system
[ -z "$DRY" ] || exit 0

# ---- The manifest, the tarball, and what to say in the ticket ----
trap '' HUP INT TERM && FINISHED=$(date -u +%Y-%m-%dT%H:%M:%SZ)
SERVER=$(sed -n '/"serverVersion"/,$s/.*"gitVersion": *"\([^"]*\)".*/\1/p' "$W/bundle/version.json" 2>/dev/null)
cat >"$W/bundle/collection.json" <<EOF
{ "tool": "$TOOL", "version": "$VERSION", "schema": 1, "started": "$STARTED", "finished": "$FINISHED",
  "arguments": [$ARGUMENTS], "context": $(list "$NAME"), "serverVersion": $(list "$SERVER"),
  "redaction": $REDACT, "interrupted": $CUT, "missing": [$MISSED],
  "permissions": [$CAN], "steps": [
$(sed '$!s/$/,/' "$W/steps") ] }
EOF
printf '%s\n%s\n' "$TOOL/must-gather" "$VERSION" >"$W/bundle/version" && printf '%s\n%s\n' "$STARTED" "$FINISHED" >"$W/bundle/timestamp"
top=$TOOL-$(printf %s "${NAME:-cluster}" | tr -c 'A-Za-z0-9.-' - | cut -c 1-40)-$(date -u +%Y%m%dT%H%M%SZ)
mv "$W/bundle" "$W/$top" || die 1 'lost the bundle'
tar --owner=0 --group=0 -czf "$W/t" -C "$W" "$top" 2>/dev/null || tar -czf "$W/t" -C "$W" "$top" # not every tar hides the owner
gzip -t "$W/t" || die 1 'the tarball cannot be written whole; is the disk full?'
for file in "$OUT/$top.tar.gz" "$OUT/$top-$$.tar.gz" ''; do (set -C && : >"$file") 2>/dev/null && break; done # this takes the name: nothing is ever overwritten
mv -f "$W/t" "$file" || die 1 "cannot create $OUT/$top.tar.gz"
sum=$({ sha256sum "$file" || shasum -a 256 "$file" || openssl dgst -sha256 -r "$file"; } 2>/dev/null | cut -d ' ' -f 1)
cat <<EOF
$TOOL $VERSION, collected $STARTED to $FINISHED
  bundle:    $file ($(($(wc -c <"$file"))) bytes)
  sha256:    ${sum:-no tool here to compute it}
  context:   $(plain "${NAME:-unknown}"), API server $(plain "${SERVER:-unknown}"), redaction: $REDACT
EOF
if [ -n "$MISSED" ]; then echo 'Not in the bundle:' && plain "$(awk 'NR <= 40; END { if (NR > 40) print "  ... and " NR - 40 " more, see collection.json" }' "$W/missing")" && echo; fi
[ -z "$STOP" ] || exit "$STOP"; [ -z "$MISSED" ] || exit 3
