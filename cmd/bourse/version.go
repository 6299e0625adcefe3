package main

import "fmt"

// Version is the program's version, as in CHANGELOG.
const Version = "0.1.0"

func version(a *app, args []string) error {
	f := a.flags("version", "bourse version")
	if err := parse(f, args, 0, 0, "version takes no arguments"); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, "bourse", Version)
	return err
}
