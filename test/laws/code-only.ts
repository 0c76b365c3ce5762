// In this order: a slash starts a comment, or a regular expression where a value may begin, or divides. Templates come
// whole; code inside them is rare, and none of the laws looks for it there.
const notCode =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}|[^`\\])*`|(?<=(?:[=(,:[!&|?{};+>]|return|case)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

/** The text with comments, strings and regular expressions blanked out; every character left is where it was. */
export function codeOnly(text: string): string {
  return text.replace(notCode, found => found.replace(/[^\n]/g, ' '))
}
