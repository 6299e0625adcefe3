package main

import (
	_ "embed"
	"fmt"
	"io"
)

// licences is written by scripts/licences.sh.
//
//go:embed licences.txt
var licences string

func version(a *app, args []string) error {
	f := a.flags("version", "bourse version --licences")
	all := f.Bool("licences", false, "print the licences of all that the program holds")
	if err := parse(f, args, 0, 0, "version takes no arguments"); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, "bourse", Version)
	if err == nil && *all {
		_, err = io.WriteString(a.stdout, "\n"+licences)
	}
	return err
}
