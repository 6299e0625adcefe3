function __bourse_complete
	set -l words (commandline -opc) (commandline -ct)
	bourse __complete $words[2..-1]
end
complete -c bourse -a '(__bourse_complete)'
