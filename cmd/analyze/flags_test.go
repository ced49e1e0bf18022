package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParseOutputs(t *testing.T) {
	for name, c := range map[string]struct {
		values []string
		file   string
		want   []output
		err    string
	}{
		"default":            {nil, "", []output{{"table", ""}}, ""},
		"one":                {[]string{"json"}, "", []output{{"json", ""}}, ""},
		"one and files":      {[]string{"table", "json=a", "yaml=b"}, "", []output{{"table", ""}, {"json", "a"}, {"yaml", "b"}}, ""},
		"only a file":        {[]string{"json=a"}, "", []output{{"json", "a"}}, ""},
		"output file":        {[]string{"json"}, "a", []output{{"json", "a"}}, ""},
		"output file, table": {nil, "a", []output{{"table", "a"}}, ""},
		"both":               {[]string{"json=a"}, "b", []output{{"json", "a"}, {"table", "b"}}, ""},
		"unknown":            {[]string{"xml"}, "", nil, `unknown output format "xml": use one of table, wide`},
		"two on stdout":      {[]string{"json", "yaml"}, "", nil, "more than one format for standard output"},
		"no file":            {[]string{"json="}, "", nil, "names no file"},
		"dash":               {[]string{"ndjson=-"}, "", []output{{"ndjson", ""}}, ""},
		"dash and a file":    {[]string{"json=-", "yaml"}, "a", []output{{"json", ""}, {"yaml", "a"}}, ""},
		"output file dash":   {[]string{"json"}, "-", []output{{"json", ""}}, ""},
		"only that":          {nil, "-", []output{{"table", ""}}, ""},
		"file, and that":     {[]string{"json=a"}, "-", []output{{"json", "a"}, {"table", ""}}, ""},
		"two dashes":         {[]string{"json=-", "yaml=-"}, "", nil, "more than one format for standard output"},
		"dash and plain":     {[]string{"json=-", "yaml"}, "", nil, "more than one format for standard output"},
		"same file":          {[]string{"json=a", "yaml=a"}, "", nil, "two formats for the file a"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseOutputs(c.values, c.file)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %v, %v; want %v", got, err, c.want)
			}
		})
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "1": 1, "1B": 1, "2K": 2048, "500M": 500 << 20, "1GiB": 1 << 30, "3GB": 3 << 30,
		"1k": 1024, "2m": 2 << 20, "1g": 1 << 30, "1gib": 1 << 30, "4kb": 4096, "7b": 7} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"M", "-1", "0", "1X", "1.5G", "99999999999T", "1 G"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q: taken for %d", text, got)
		}
	}
}

func TestUsageErrorsSayWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no bundle":       {nil, "try 'analyze demo'"},
		"too few":         {[]string{"fix", "demo"}, "fix takes BUNDLE JOB; 1 given"},
		"one too many":    {[]string{"version", "x"}, "version takes no argument; 1 given"},
		"unknown flag":    {[]string{"--verbose"}, "Run 'analyze --help' for usage."},
		"fail-on":         {[]string{"demo", "--fail-on", "info"}, "--fail-on must be error, warning or never"},
		"at":              {[]string{"demo", "--at", "yesterday"}, "RFC 3339"},
		"lang":            {[]string{"demo", "--lang", "fr"}, "en or zh"},
		"max-bytes":       {[]string{"demo", "--max-bytes", "lots"}, "such as 500M"},
		"max-files":       {[]string{"demo", "--max-files", "-3"}, "must be at least 1"},
		"max-files of 0":  {[]string{"demo", "--max-files", "0"}, "must be at least 1"},
		"demo, cut short": {[]string{"demo", "--max-bytes", "10"}, "cannot read demo: the limit of unpacked bytes"},
		"demo, elsewhere": {[]string{"explain", "demo", "--max-bytes", "10"}, "cannot read demo: the limit of unpacked bytes"},
		"rules":           {[]string{"demo", "--rules", "no/such/folder"}, "is no folder"},
		"code":            {[]string{"rules", "Held"}, "near: DeadlineHitWhileHeld, HeldBySidecar"},
		"unknown code":    {[]string{"rules", "Nonsense"}, "'analyze rules' lists them"},
		"too many":        {[]string{"demo", "x"}, "analyze demo"},
		"empty name":      {[]string{""}, "the name of the bundle is empty"},
		"empty name too":  {[]string{"explain", ""}, "the name of the bundle is empty"},
		"empty report":    {[]string{"convert", ""}, "the name of the report is empty"},
		"empty BEFORE":    {[]string{"compare", "", "demo"}, "the name of the bundle is empty"},
		"empty original":  {[]string{"redact", "", "-o", "x.tgz"}, "the name of the bundle is empty"},
		"empty job":       {[]string{"demo", "--job", ""}, "--job is empty: give a value, or leave the flag out"},
		"empty, at root":  {[]string{"x.tgz", "-n", ""}, "--namespace is empty"},
		"empty side":      {[]string{"compare", "demo", "demo", "--before-job="}, "--before-job is empty"},
		"empty folder":    {[]string{"demo", "--rules", "", "--at="}, "--rules is empty"},
		"empty version":   {[]string{"predict", "demo", "--istio", ""}, "--istio is empty"},
		"empty, below":    {[]string{"completion", "bash", "--job", ""}, "--job is empty"},
		"empty POD":       {[]string{"explain", "demo", ""}, "POD is empty: give a name, or leave it out for all pods"},
		"empty JOB":       {[]string{"fix", "demo", ""}, "JOB is empty: give the name of a Job or CronJob"},
		"empty CODE":      {[]string{"rules", ""}, "CODE is empty: give a code, or leave it out for the list"},
		"empty DIR":       {[]string{"lint-data", ""}, "DIR is empty: give a folder, or leave it out for the built-in data"},
		"command misread": {[]string{"demmo"}, "did you mean the command 'analyze demo'?"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(c.args...)
			if got.Exit != 2 {
				t.Errorf("exit status %d, want 2", got.Exit)
			}
			if !strings.Contains(string(got.Stderr), c.want) {
				t.Errorf("standard error lacks %q:\n%s", c.want, got.Stderr)
			}
			if strings.HasPrefix(name, "empty") && strings.Contains(string(got.Stderr), "did you mean") {
				t.Errorf("an empty name is near no command:\n%s", got.Stderr)
			}
			if len(got.Stdout) > 0 {
				t.Errorf("standard output is not empty:\n%s", got.Stdout)
			}
		})
	}
}
