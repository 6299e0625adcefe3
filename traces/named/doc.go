// Package named is the catalogue of public traces by short names: where each is published, under
// which terms, and how to know the right file. It finds those that are on this machine, and
// fetches nothing; package traces/named/fetch does.
package named
