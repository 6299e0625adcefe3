#compdef bourse
_bourse() {
	local -a found
	found=("${(@f)$(bourse __complete "${(@)words[2,CURRENT]}")}")
	if [[ -n ${found[1]} ]]; then compadd -Q -a found; else _files; fi
}
compdef _bourse bourse
