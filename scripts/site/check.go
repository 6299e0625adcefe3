package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
)

var (
	scripts = regexp.MustCompile(`(?s)(<script[^>]*>).*?</script>|<!--.*?-->`)
	targets = regexp.MustCompile(`\s(?:id|name)="([^"]*)"`)
	tags    = regexp.MustCompile(`<([a-z]+)\s[^>]*?\b(href|src|srcset|poster|data|action)="([^"]*)"`)
	loaded  = regexp.MustCompile(`(?i)url\(\s*['"]?((?:[a-z]+:)?//[^)'"]*)|@import\s+['"]([^'"]+)`)
)

// check wants every link and anchor of the pages in a folder to lead somewhere inside, and nothing outside to be loaded.
func check(folder string) error {
	tree := os.DirFS(folder)
	anchors := map[string]map[string]bool{}
	pages := map[string]string{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		anchors[name] = map[string]bool{"": true}
		if strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".css") {
			pages[name] = scripts.ReplaceAllString(string(text), "$1")
			for _, m := range targets.FindAllStringSubmatch(pages[name], -1) {
				anchors[name][m[1]] = true
			}
		}
		return err
	})
	faults := []error{err}
	links := 0
	for name, text := range pages {
		for _, m := range loaded.FindAllStringSubmatch(text, -1) {
			faults = append(faults, fmt.Errorf("%s loads %s", name, m[1]+m[2]))
		}
		for _, m := range tags.FindAllStringSubmatch(text, -1) {
			links++
			faults = append(faults, follow(name, m[1], strings.ReplaceAll(m[3], "&amp;", "&"), anchors))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	if links == 0 {
		return fmt.Errorf("%s: no links", folder)
	}
	fmt.Printf("%s: %d pages and style sheets, %d links\n", folder, len(pages), links)
	return nil
}

// follow returns what is wrong with an address on a page.
func follow(page, tag, address string, anchors map[string]map[string]bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", page, err)
	case u.Scheme == "data" || u.Scheme == "blob":
		return nil
	case u.Scheme != "" || u.Host != "":
		if tag == "a" {
			return nil
		}
		return fmt.Errorf("%s: <%s> loads %s", page, tag, address)
	}
	to := page
	if u.Path != "" {
		to = path.Join(path.Dir(page), u.Path)
	}
	if anchors[to] == nil {
		return fmt.Errorf("%s leads to %s, which is not there", page, address)
	}
	if !anchors[to][u.Fragment] {
		return fmt.Errorf("%s leads to %s, where there is no such anchor", page, address)
	}
	return nil
}
