_bourse() {
	local words cword IFS=$'\n'
	if declare -F _get_comp_words_by_ref >/dev/null; then
		_get_comp_words_by_ref -n '=:' words cword
	else
		words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
	fi
	COMPREPLY=($(bourse __complete "${words[@]:1:cword}"))
	[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
	declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "${words[cword]}"
}
complete -o default -F _bourse bourse
