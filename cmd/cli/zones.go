//go:build !js

package cli

import _ "time/tzdata" // the time zones, for machines that have none; a page brings its own (scripts/playground)
