package redact

// The fields of a pod, and of whatever holds the template of one.

var podSpec = fields{
	"initContainers": each(container), "containers": each(container), "ephemeralContainers": each(container),
	"restartPolicy": name, "terminationGracePeriodSeconds": plain, "activeDeadlineSeconds": plain, "dnsPolicy": name,
	"nodeSelector": plain, "serviceAccountName": name, "serviceAccount": name, "automountServiceAccountToken": plain,
	"nodeName": name, "hostNetwork": plain, "hostPID": plain, "hostIPC": plain, "hostUsers": plain,
	"shareProcessNamespace": plain, "securityContext": plain, "imagePullSecrets": plain, "hostname": name, "subdomain": name,
	"setHostnameAsFQDN": plain, "hostnameOverride": name, "affinity": plain, "schedulerName": name, "tolerations": plain,
	"hostAliases": plain, "priorityClassName": name, "priority": plain, "dnsConfig": dnsConfig, "readinessGates": plain,
	"runtimeClassName": name, "enableServiceLinks": plain, "preemptionPolicy": name, "overhead": plain,
	"topologySpreadConstraints": plain, "os": plain, "schedulingGates": plain, "resourceClaims": plain, "resources": plain,
	"volumes": plain,
}

// containerFields are those of a container, but for its command line.
var containerFields = fields{
	"name": name, "image": name, "workingDir": plain, "ports": plain, "envFrom": plain, "env": each(envVar), "resources": plain,
	"resizePolicy": plain, "restartPolicy": name, "restartPolicyRules": plain, "volumeMounts": plain, "volumeDevices": plain,
	"livenessProbe": probe, "readinessProbe": probe, "startupProbe": probe, "lifecycle": lifecycle.of,
	"terminationMessagePath": plain, "terminationMessagePolicy": name, "imagePullPolicy": name, "securityContext": plain,
	"stdin": plain, "stdinOnce": plain, "tty": plain, "targetContainerName": name,
	"command": arguments, "args": arguments,
}

var handler = fields{
	"exec":      fields{"command": arguments}.of,
	"httpGet":   fields{"path": plain, "port": plain, "host": plain, "scheme": name, "httpHeaders": headers}.of,
	"tcpSocket": plain, "grpc": plain, "sleep": plain,
}

var probeFields = handler.with(fields{"initialDelaySeconds": plain, "timeoutSeconds": plain, "periodSeconds": plain,
	"successThreshold": plain, "failureThreshold": plain, "terminationGracePeriodSeconds": plain})

var lifecycle = fields{"postStart": handler.of, "preStop": handler.of, "stopSignal": name}

func probe(f *file, v any) any { return probeFields.of(f, v) }

// dnsConfig has options that are the resolver's.
func dnsConfig(f *file, v any) any {
	return fields{"nameservers": plain, "searches": plain, "options": each(fields{"name": name, "value": plain}.of)}.of(f, v)
}

// headers are those of a probe or hook: their values are often credentials.
func headers(f *file, v any) any {
	return each(fields{"name": name, "value": removed(ofHeaders)}.of)(f, v)
}

// container hides arguments by what stands before them, so its command and its arguments are one line.
func container(f *file, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return scalar(f, v)
	}
	rest := make(map[string]any, len(m))
	for k, value := range m {
		if k != "command" && k != "args" {
			rest[k] = value
		}
	}
	out := containerFields.of(f, rest).(map[string]any)
	line := argLine{f: f}
	for _, k := range []string{"command", "args"} {
		if value, ok := m[k]; ok {
			if kept := line.take(value); kept != (gone{}) {
				out[k] = kept
			}
		}
	}
	return out
}

// argLine is a command line, given in one list or in two.
type argLine struct {
	f     *file
	after string
}

func (l *argLine) take(v any) any {
	return each(func(f *file, item any) any {
		s, ok := item.(string)
		if !ok {
			l.after = ""
			return scalar(f, item)
		}
		var hidden bool
		if hidden, l.after = f.patterns.hides(s, l.after); hidden && !hasMark(s) {
			f.count(ofArgs)
			return f.patterns.hiddenArg(s)
		}
		return s
	})(l.f, v)
}

// arguments is a command line in one list.
func arguments(f *file, v any) any {
	line := argLine{f: f}
	return line.take(v)
}

// envVar keeps the value of the few variables that the analysis reads, and where another comes from.
func envVar(f *file, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return scalar(f, v)
	}
	key, _ := m["name"].(string)
	return fields{"name": name, "valueFrom": plain, "value": func(f *file, v any) any { return envValue(f, key, v) }}.of(f, m)
}

func envValue(f *file, key string, v any) any {
	s, isText := v.(string)
	switch {
	case v == nil || s == Mark || isText && s == "":
		return v
	case key == "PROXY_CONFIG" && isText:
		return f.proxyConfig(s)
	case envNames.MatchString(key) && !isText:
		return scalar(f, v)
	case envNames.MatchString(key) && !f.patterns.secret(s):
		return s
	}
	f.count(ofEnv)
	return Mark
}
