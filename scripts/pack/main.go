// Command pack does the parts of a release that must come out the same on every machine: archives, checksums, the texts
// of licences, the changelog, the bill of materials, the krew manifest. scripts/release calls it; nothing of it is in the program.
//
// It is NOT for building and NOT for deciding what goes into an archive: that is scripts/release, which lays a folder out.
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
)

const usage = `usage:
  pack archive DIR FILE SECONDS           pack DIR as FILE (.tar.gz or .zip), every time set to SECONDS since 1970
  pack checksums DIR                      print the SHA-256 of every file in DIR
  pack notices                            print the licences of everything that is linked on any platform
  pack licenses                           print the table of docs/licenses.md
  pack sbom FILE                          print a CycloneDX FILE without what differs between machines, with licences
  pack changelog FILE VERSION             print a changelog FILE with VERSION as the heading of what was not released before
  pack krew TEMPLATE VERSION DIR          print the krew manifest for the archives in DIR
`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "pack: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	word := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	switch command := word(0) + " " + strconv.Itoa(len(args)-1); command {
	case "archive 3":
		return archive(word(1), word(2), word(3))
	case "checksums 1":
		return checksums(word(1), out)
	case "notices 0":
		return notices(".", out)
	case "licenses 0":
		return licenses(".", out)
	case "sbom 1":
		return sbom(".", word(1), out)
	case "changelog 2":
		return changelog(word(1), word(2), out)
	case "krew 3":
		return krew(word(1), word(2), word(3), out)
	}
	return fmt.Errorf("no such command\n%s", usage)
}
