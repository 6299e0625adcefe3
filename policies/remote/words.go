package remote

import (
	"errors"
	"strings"
)

// split separates words at blanks; quotes keep blanks.
func split(text string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	begun := false
	for _, c := range text {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true // '' is a word
		case quote == 0 && (c == ' ' || c == '\t'):
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("want a program, as in python3 mine.py")
	}
	return words, nil
}
