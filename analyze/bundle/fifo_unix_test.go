//go:build unix

package bundle

import (
	"syscall"
	"testing"
)

func mkfifo(t testing.TB, name string) {
	t.Helper()
	must(t, syscall.Mkfifo(name, 0o600))
}
