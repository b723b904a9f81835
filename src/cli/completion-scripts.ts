/** What each shell runs to complete `sortie`; the candidates come from `sortie complete`. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# Put this line into ~/.bashrc: source <(sortie completion bash)
_sortie() {
  local IFS=$'\\n'
  COMPREPLY=($(sortie complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _sortie sortie
`,
  zsh: `# Put this line into ~/.zshrc, after compinit: source <(sortie completion zsh)
_sortie() {
  local -a candidates
  candidates=(\${(f)"$(sortie complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#candidates} )); then compadd -- $candidates; else _files; fi
}
compdef _sortie sortie
`,
  fish: `# Put this line into ~/.config/fish/config.fish: sortie completion fish | source
function __sortie
  set -l words (commandline -opc)
  sortie complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c sortie -a '(__sortie)'
`,
};
