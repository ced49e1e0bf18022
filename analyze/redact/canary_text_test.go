package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

// describeText hides a canary in every place of the describe text of a pod, a Job, a CronJob, a node, and of objects that
// are not read.
func (c *canaries) describeText() string {
	pod := c.fill(`Name:             nightly-1
Namespace:        batch
Service Account:  token-reader
Node:             n1/192.0.2.1
Labels:           app=nightly
                  job-name=nightly
Annotations:      example.com/x: %s
                  example.com/long:
                    %s
                  kubectl.kubernetes.io/last-applied-configuration:
                    {"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"a":"%s
                  sidecar.istio.io/inject: true
Status:           Running
Unknown Section:  %s
  below:          %s
IP:               198.51.100.7
Controlled By:    Job/nightly
Containers:
  token-refresher:
    Image:         registry.example.com/token-refresher:1
    Command:
      sh
      
      --password
    Args:
      %s
      -----BEGIN PRIVATE KEY-----
      %s
    State:          Terminated
      Reason:       Completed
      Message:      last words token=%s
and
password: %s
-----BEGIN CERTIFICATE-----
%s
      Exit Code:    0
      Started:      Mon, 30 Nov 2026 12:19:19 +0100
      Finished:     Mon, 30 Nov 2026 12:20:19 +0100
    Ready:          False
    Restart Count:  0
    Liveness:       exec [curl -u me:%s x] delay=0s timeout=1s period=10s #success=1 #failure=3
    Readiness:      http-get http://me:%s@:80/ delay=0s timeout=1s period=10s #success=1 #failure=3
    Startup:        exec [check --token %s] delay=0s timeout=1s period=10s #success=1 #failure=3
    Environment Variables from:
      db-credentials  Secret  Optional: false
    Environment:
      A:  %s
      B:  first %s

          %s
      ENABLE_NATIVE_SIDECARS:  true
      CA_ADDR:  Bearer %s
      POD_NAME:  nightly-1 (v1:metadata.name)
      FAKE:  %s (v1:metadata.name)
      C:  <set to the key 'p' in secret 'db'>  Optional: false
      D:  <set to the key 'p' in secret 'db'> %s
    Mounts:         <none>
    New Thing:      %s
  second:
    Image:         x
    Environment:   <none>
Volumes:
  x:
    Type:              CSI (a volume)
    VolumeAttributes:      a=%s
QoS Class:  Burstable
Events:
  Type     Reason   Age  From     Message
  ----     ------   ---  ----     -------
  Normal   Pulled   1s   kubelet  fine
  Warning  Bad      1s   kubelet  password=%s
and %s
`) + "  Warning  FailedPostStartHook  1s  kubelet  " + strings.Join(c.quotedCommands(), "\n  Warning  FailedPostStartHook  1s  kubelet  ") + "\n"
	job := c.fill(`Name:           nightly
Namespace:      batch
Annotations:    example.com/x: %s
Parallelism:    1
Pods Statuses:  1 Active (0 Ready) / 0 Succeeded / 0 Failed
Pod Template:
  Labels:       app=nightly
  Annotations:  example.com/x: %s
                sidecar.istio.io/inject: true
  Init Containers:
   setup:
    Image:      x
    Args:
      --token=%s
  Containers:
   main:
    Image:      x
    Command:
      sh
      %s --password=x
    Environment:
      PLAIN:  %s
  Volumes:
   v:
    Type:  CSI
    VolumeAttributes:  %s
Events:  <none>
`)
	cron := c.fill(`Name:                 nightly
Namespace:            batch
Labels:               <none>
Schedule:             * * * * *
Concurrency Policy:   Forbid
Pod Template:
  Containers:
   main:
    Image:      x
    Environment:
      PLAIN:  %s
Events:  <none>
`)
	node := c.fill(`Name:               n1
Roles:              <none>
Annotations:        a: %s
                    b: %s
Taints:             <none>
System Info:
  Kubelet Version:  v9.1.0
Events:             <none>
`)
	config := c.fill("Name:         app-config\nNamespace:    batch\nLabels:       <none>\nAnnotations:  <none>\n\nData\n====\npassword:\n----\n%s\n\nEvents:  <none>\n")
	return pod + "\n\n" + job + "\n\n" + config + "\n\n" + cron + "\n\n" + node + "\n\nsome log line with " + c.next() + "\n"
}

// fill puts canaries into a text.
func (c *canaries) fill(format string) string {
	parts := strings.Split(format, "%s")
	out := parts[0]
	for _, p := range parts[1:] {
		out += c.next() + p
	}
	return out
}

// transcript is what is pasted into a ticket.
func (c *canaries) transcript(t testing.TB) string {
	return c.fill(strings.ReplaceAll(`notes: %s
me@%s:~$ kubectl get pods -n batch --token %s
NAME        READY   STATUS    RESTARTS   AGE
nightly-1   1/2     Running   0          1h

me@host:~$ kubectl logs nightly-1 # %s
%s
NAME        READY   STATUS    RESTARTS   AGE
me@host:~$ kubectl get events
LAST SEEN   TYPE      REASON      OBJECT          MESSAGE
1m          Warning   Unhealthy   pod/nightly-1   probe failed: password=%s
error: the password is %s
Error from server (Forbidden): nodes is forbidden: User "x" cannot list resource "nodes": Bearer %s
me@host:~$ kubectl get things
NAME     DETAIL
a-thing  %s

me@host:~$ kubectl get pods -o custom-columns=x
NAME       READY   STATUS    RESTARTS   AGE   PASSWORD
nightly-2  1/2     Running   0          1h    %s

NAME\tREADY\tSTATUS\tRESTARTS\tAGE\tODD
nightly-3\t1/2\tRunning\t0\t1h\t%s

NAME   READY   STATUS   RESTARTS   AGE   ODD
nightly-4 1/2 Running 0 1h %s

me@host:~$ kubectl get secret db -o yaml
`, `\t`, "\t")) + marshal(t, object{"apiVersion": "v1", "kind": "Secret", "metadata": object{"name": "db"}, "data": object{"p": c.next()}})
}

// handWritten is YAML in every style that kubectl does not write.
func (c *canaries) handWritten() string {
	return c.fill(`# comment %s
apiVersion: v1
kind: Pod
metadata: {name: by-hand, namespace: batch, annotations: {example.com/x: %s}}
spec:
  containers:
  - &main
    name: main
    env: [{name: A, value: %s}, {name: "B", value: !!str %s}]
    args: ["--password", %s]
  - <<: *main
    name: copy
    env:
    - ? name
      : C
      ? value
      : >-
        folded
        %s
    - {value: 'it''s %s', name: D}
  - name: three
    env:
      - name: E
        value: |2
          block
            %s
      - name: F
        value: "double\
          \ %s"
      - value: first
        name: G
        VALUE: %s
...
%s
`)
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "    ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}
