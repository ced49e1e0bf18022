package bundle

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// File is what a user named on the command line, open for reading.
type File struct {
	*os.File
	// idle is set while nothing was read from a pipe: its end is then that nobody writes to it.
	idle bool
}

// OpenFile opens the file that a user named, and never waits for somebody to write to it. A pipe is as good as a file if
// something writes to it, be it <(kubectl ...), /dev/stdin or one with a name. Devices are refused, for some have no end;
// so are sockets and folders.
func OpenFile(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		f, err := os.Open(path)
		return &File{File: f}, err
	case mode&os.ModeNamedPipe != 0:
		f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		return &File{File: f, idle: true}, err
	case mode&os.ModeCharDevice != 0 && inherited(path):
		f, err := os.Open(path) // a terminal, say
		return &File{File: f}, err
	case mode&os.ModeDevice != 0:
		return nil, errDevice
	}
	return nil, errNoFile
}

// inherited says that the path stands for a file that the program was started with, or for the empty one.
func inherited(path string) bool {
	path = filepath.Clean(path)
	return path == os.DevNull || path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// Read reads; a pipe that nobody writes to is an error and no empty file.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if n == 0 && err == io.EOF && f.idle {
		return 0, errIdle
	}
	f.idle = f.idle && n == 0
	return n, err
}

var (
	errNoFile = errors.New("neither a file nor a folder")
	errDevice = errors.New("it is a device, and no file or folder")
	errIdle   = errors.New("it is a pipe that nothing has written to; start what writes to it first, or give its output to: analyze -")
)
