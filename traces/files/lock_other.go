//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package files

import "os"

// flock does nothing: Windows refuses to remove a file that is open, which protects it as
// well.
func flock(*os.File) error { return nil }

// renamesOpen: a file can get another name while it is open, and so stay locked.
const renamesOpen = false
