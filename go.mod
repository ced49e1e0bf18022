module github.com/sidecar-must-gather/sidecar-must-gather

go 1.26.8

require (
	github.com/Masterminds/semver/v3 v3.5.0 // indirect
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	sigs.k8s.io/yaml v1.6.0 // indirect
)
