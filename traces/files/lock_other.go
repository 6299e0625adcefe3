//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package files

import "os"

// lock takes a file for this process. Windows refuses to remove a file that is open,
// which protects it as well.
func lock(*os.File) bool { return true }

// renamesOpen: a file can get another name while it is open, and so stay locked.
const renamesOpen = false
