//go:build unix

// Command measure measures what reading and judging a bundle costs, and prints one table. scripts/bench builds it and
// the analyzer, and calls it.
//
// Everything that is measured runs in a process of its own, so that none pays for another's garbage, and the process
// that asks stays small: Linux counts the memory of a parent as its child's until the child's own is more.
//
// It is NOT a test: it prints numbers and judges none. What must hold on any machine is in the tests of analyze/kube.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube/podgen"
)

const usage = `usage:
  measure table [-rounds N] [-plain PODS] ANALYZER DIR PODS...   the table; archives are made in DIR
  measure archive PODS FILE           make up a cluster and write it as .tar.gz
  measure floor FILE                  gunzip a file, find its lines and print their number
  measure decode WAY PODS             read a list in memory: ours, items or whole (sigs.k8s.io/yaml); prints a cost
`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "measure: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("no command\n%s", usage)
	}
	switch command, args := args[0], args[1:]; {
	case command == "table":
		return tableCommand(args, out)
	case command == "archive" && len(args) == 2:
		n, err := pods(args[0])
		if err != nil {
			return err
		}
		return writeArchive(n, args[1])
	case command == "floor" && len(args) == 1:
		return floor(args[0], out)
	case command == "decode" && len(args) == 2:
		n, err := pods(args[1])
		if err != nil {
			return err
		}
		return decode(args[0], n, out)
	}
	return fmt.Errorf("no such command\n%s", usage)
}

func pods(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number of pods", s)
	}
	return n, nil
}

func tableCommand(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	rounds := flags.Int("rounds", 3, "how often each is measured; the least counts")
	plain := flags.Int("plain", 0, "decode a list of so many pods as a whole too; 10000 take 4 GB")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 3 || *rounds < 1 {
		return fmt.Errorf("wrong arguments\n%s", usage)
	}
	m := &meter{analyzer: flags.Arg(0), dir: flags.Arg(1), rounds: *rounds, plain: *plain}
	for _, s := range flags.Args()[2:] {
		n, err := pods(s)
		if err != nil {
			return err
		}
		m.sizes = append(m.sizes, n)
	}
	if err := m.measure(); err != nil {
		return err
	}
	return m.print(out)
}

func writeArchive(n int, name string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 1<<20)
	if err = podgen.Archive(b, n); err == nil {
		err = b.Flush()
	}
	if failed := f.Close(); err == nil {
		err = failed
	}
	return err
}
