const bash = `_latchkey() {
  local typed=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  local words=$(latchkey completion words "\${typed[@]}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _latchkey latchkey`;

const zsh = `_latchkey() {
  local -a options
  options=(\${(f)"$(latchkey completion words "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -- $options || _files
}
compdef _latchkey latchkey`;

const fish = `function __latchkey_words
  set -l typed (commandline -opc) (commandline -ct)
  latchkey completion words $typed[2..-1] 2>/dev/null
end
complete -c latchkey -a '(__latchkey_words)'`;

/**
 * The script of each shell. It passes on the words behind `latchkey`; the last one, perhaps empty,
 * is being typed.
 */
export const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };
