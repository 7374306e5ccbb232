import { type Command, type Commands, type Terminal, UsageError } from "../command.ts";
import { scripts } from "./scripts.ts";

const usage = `Usage: latchkey completion <bash|zsh|fish>
  Prints a script that completes commands and options. Load it in your shell:
  bash  source <(latchkey completion bash)    in ~/.bashrc
  zsh   source <(latchkey completion zsh)     in ~/.zshrc, after compinit
  fish  latchkey completion fish | source     in ~/.config/fish/config.fish`;

/** `latchkey completion`: the scripts call it again with `words` and what the user has typed. */
export const completionCommand =
  (commands: Commands): Command =>
  async ([shell = "", ...typed], terminal) => {
    if (shell === "words") {
      for (const word of await wordsAfter(typed, commands, terminal)) terminal.print(word);
      return 0;
    }
    const isHelp = shell === "--help" || shell === "-h";
    const script = isHelp ? usage : Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined || typed.length > 0) throw new UsageError(usage);
    terminal.print(script);
    return 0;
  };

/** The commands, or the options of the command that has been typed: its help lists them. */
async function wordsAfter(
  typed: readonly string[],
  commands: Commands,
  terminal: Terminal,
): Promise<readonly string[]> {
  const [name, ...rest] = typed;
  if (name === undefined || rest.length === 0 || name === "help")
    return [...Object.keys(commands), "help"];
  if (name === "completion") return Object.keys(scripts);
  const command = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
  let help = "";
  await command?.(["--help"], { ...terminal, print: (text) => void (help += text) });
  return [...new Set([...(help.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? []), "--help"])];
}
