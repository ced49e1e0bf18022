package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"
)

// krew fills the manifest's template in. Its two words are those of krew-release-bot, so that either can fill it:
// {{ .TagName }} is the version, {{ addURIAndSha URL .TagName }} the address of an archive and its checksum, which is
// taken from the file of that name in the folder.
func krew(file, version, dir string, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	data := struct{ TagName string }{version}
	words := template.FuncMap{"addURIAndSha": func(url, tag string) (string, error) {
		url, err := fill("url", url, nil, struct{ TagName string }{tag})
		if err != nil {
			return "", err
		}
		content, err := os.ReadFile(filepath.Join(dir, path.Base(url)))
		if err != nil {
			return "", fmt.Errorf("the manifest names an archive that was not built: %w", err)
		}
		return fmt.Sprintf("uri: %s\n    sha256: %x", url, sha256.Sum256(content)), nil
	}}
	filled, err := fill(filepath.Base(file), string(text), words, data)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, filled)
	return err
}

func fill(name, text string, words template.FuncMap, data any) (string, error) {
	t, err := template.New(name).Funcs(words).Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	err = t.Execute(&s, data)
	return s.String(), err
}
