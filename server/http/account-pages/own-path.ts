const longest = 2_000

/**
 * The path on this server that a page names as the place to go on at; the start page for anything else, so that a link to a page of this
 * server never leads to another host.
 */
export function ownPath(next: string | null | undefined): string {
  // Browsers read a backslash as a slash and skip tabs and line ends, so neither may hide a second slash.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that browsers skip
  if (!next || next.length > longest || !/^\/(?![/\\])/.test(next) || /[\x00-\x20\\\x7f]/.test(next)) return '/'
  const base = 'http://own.invalid'
  if (!URL.canParse(next, base)) return '/'
  const { origin, pathname, search, hash } = new URL(next, base)
  // Dots may leave two slashes at the beginning.
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
