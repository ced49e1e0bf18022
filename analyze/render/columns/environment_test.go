package columns

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// drawOnly makes the test binary print the sample table and stop: the library looks at the environment when a process
// starts, so each environment needs a process of its own.
const drawOnly = "COLUMNS_TEST_DRAW_ONLY"

func TestMain(m *testing.M) {
	if os.Getenv(drawOnly) == "" {
		os.Exit(m.Run())
	}
	before := twwidth.IsEastAsian()
	_, err := os.Stdout.WriteString(strings.Join(lines(sample(true)), "\n"))
	if err != nil || before != (os.Getenv(drawOnly) == "wide") {
		os.Exit(1)
	}
}

// TestTheEnvironmentChangesNothing draws the same table in processes whose environment would make the library count
// ambiguous characters as wide.
func TestTheEnvironmentChangesNothing(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join(lines(sample(true)), "\n")
	for _, env := range [][]string{
		{drawOnly + "=narrow"},
		{drawOnly + "=narrow", "LANG=C", "TERM=dumb"},
		{drawOnly + "=narrow", "LANG=zh_CN.UTF-8", "TERM=xterm-256color"},
		{drawOnly + "=wide", "LANG=zh_CN.UTF-8", "TERM=dumb"},
		{drawOnly + "=wide", "LC_ALL=ja_JP.UTF-8"},
		{drawOnly + "=wide", "LC_CTYPE=ko_KR.eucKR"},
		{drawOnly + "=wide", "LANG=C", "RUNEWIDTH_EASTASIAN=1"},
		{drawOnly + "=narrow", "LC_ALL=zh_TW.UTF-8", "RUNEWIDTH_EASTASIAN=0", "TABWIDTH=3"},
	} {
		cmd := exec.Command(self)
		cmd.Env = env
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%v: %v (1: the library does not see this environment as the test thinks)", env, err)
		}
		if string(out) != want {
			t.Errorf("%v: got\n%s\nwant\n%s", env, out, want)
		}
	}
}

// TestAnotherUserOfTheLibrary: a setting left behind by other code does not outlive the next table, and tables drawn
// at the same time do not disturb each other.
func TestAnotherUserOfTheLibrary(t *testing.T) {
	want := lines(sample(false))
	twwidth.SetEastAsian(true)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := lines(sample(false)); !slices.Equal(got, want) {
				t.Errorf("got %q", got)
			}
		})
	}
	group.Wait()
}
