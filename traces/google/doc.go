// Package google reads Google's cluster traces of 2011 (v2.1) and 2019 (v3): tables of
// events of tasks and machines become jobs and machine events.
package google
