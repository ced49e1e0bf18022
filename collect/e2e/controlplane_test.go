//go:build linux

// Package e2e runs the collector against a real etcd and a real kube-apiserver with the Job and CronJob controllers, all
// linked into this test binary from their Go modules. There is no kubelet: nodes and pod status are written through the
// API, as a kubelet would. It is a module of its own so that the product never sees these dependencies.
package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/component-base/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// componentEnv makes this binary a component of the control plane instead of a test.
const componentEnv = "E2E_COMPONENT"

func TestMain(m *testing.M) {
	switch os.Getenv(componentEnv) {
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllers.NewControllerManagerCommand()))
	}
	if strings.HasPrefix(version.Get().GitVersion, "v0.0.0") {
		fmt.Fprintln(os.Stderr, "the API server would not know its own version: start this test with collect/e2e/run")
		os.Exit(2)
	}
	status := m.Run()
	if analyzer.path != "" {
		_ = os.RemoveAll(filepath.Dir(analyzer.path))
	}
	os.Exit(status)
}

// Without node controllers: nothing renews the leases of nodes that no kubelet runs on.
const controllerNames = "namespace-controller,serviceaccount-controller,serviceaccount-token-controller,root-ca-certificate-publisher-controller," +
	"clusterrole-aggregation-controller,garbage-collector-controller,job-controller,cronjob-controller"

// plane is a running control plane.
type plane struct {
	dir    string
	server string
}

// users have a static token each, and a kubeconfig of their name.
var users = map[string]string{"admin": "system:masters", "sidecar-must-gather": "", "viewer": "", "nobody": ""}

func start(t *testing.T, featureGates string) *plane {
	t.Helper()
	p := &plane{dir: t.TempDir()}
	etcd := startEtcd(t, filepath.Join(p.dir, "etcd"))
	port := freePort(t)
	p.server = "https://127.0.0.1:" + strconv.Itoa(port)
	key := writeKeyPair(t, p.dir)
	var tokens bytes.Buffer
	for user, group := range users {
		token := randomToken(t)
		fmt.Fprintf(&tokens, "%s,%s,%s,%s\n", token, user, user, group)
		p.writeKubeconfig(t, user, token)
	}
	file(t, filepath.Join(p.dir, "tokens.csv"), tokens.String())
	gates := []string{}
	if featureGates != "" {
		gates = append(gates, "--feature-gates="+featureGates)
	}
	p.component(t, "kube-apiserver", append(gates,
		"--etcd-servers="+etcd, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port="+strconv.Itoa(port),
		"--endpoint-reconciler-type=none", // 127.0.0.1 is no valid endpoint address
		"--cert-dir="+p.dir,               // it makes apiserver.crt itself
		"--service-cluster-ip-range=10.96.0.0/24", "--authorization-mode=RBAC", "--anonymous-auth=false",
		"--token-auth-file="+filepath.Join(p.dir, "tokens.csv"), "--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file="+key, "--service-account-key-file="+key+".pub")...)
	p.eventually(t, "the API server", func() bool { return p.try("get", "--raw", "/readyz") == nil })
	p.component(t, "kube-controller-manager", append(gates,
		"--kubeconfig="+p.kubeconfig("admin"), "--leader-elect=false", "--secure-port=0", "--controllers="+controllerNames,
		"--service-account-private-key-file="+key, "--root-ca-file="+filepath.Join(p.dir, "apiserver.crt"))...)
	p.eventually(t, "the controllers", func() bool { return p.try("get", "serviceaccount", "default", "-n", "default") == nil })
	return p
}

func startEtcd(t *testing.T, dir string) string {
	t.Helper()
	local := func() url.URL { return url.URL{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(freePort(t))} }
	client, peer := local(), local()
	c := embed.NewConfig()
	c.Dir, c.UnsafeNoFsync, c.LogLevel, c.LogOutputs = dir, true, "error", []string{os.DevNull}
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	e, err := embed.StartEtcd(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	select {
	case <-e.Server.ReadyNotify():
	case <-time.After(time.Minute):
		t.Fatal("etcd is not ready within a minute")
	}
	return client.String()
}

// component starts this binary again as a part of the control plane; it ends with the test.
func (p *plane) component(t *testing.T, name string, args ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(p.dir, name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), componentEnv+"="+name)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		log.Close()
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("the end of %s's log:\n%s", name, text[max(0, len(text)-3000):])
		}
	})
}

func (p *plane) kubeconfig(user string) string { return filepath.Join(p.dir, user+".kubeconfig") }

func (p *plane) writeKubeconfig(t *testing.T, user, token string) {
	t.Helper()
	file(t, p.kubeconfig(user), fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: e2e
  cluster: {server: %q, certificate-authority: %q}
users:
- name: %[3]s
  user: {token: %[4]q}
contexts:
- name: %[3]s@e2e
  context: {cluster: e2e, user: %[3]s, namespace: team}
current-context: %[3]s@e2e
`, p.server, filepath.Join(p.dir, "apiserver.crt"), user, token))
}

// kubectl is a command as admin.
func (p *plane) kubectl(stdin string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "kubectl", append(args, "--kubeconfig", p.kubeconfig("admin"))...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

func (p *plane) try(args ...string) error {
	_, err := p.kubectl("", args...)
	return err
}

func (p *plane) must(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := p.kubectl(stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

func (p *plane) eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !done(); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come", what)
		}
	}
}

func file(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func writeKeyPair(t *testing.T, dir string) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	pub, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "sa.key")
	file(t, path, string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})))
	file(t, path+".pub", string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pub})))
	return path
}

func randomToken(t *testing.T) string {
	t.Helper()
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(b)
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
