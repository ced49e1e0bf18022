module github.com/sidecar-must-gather/sidecar-must-gather

go 1.26.8
