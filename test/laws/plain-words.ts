import { lineOf, type Source } from './sources.js'

/** Words of prose without a real subject, and what to write in their place. */
const words: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  {
    pattern: /\b(?:nobody|somebody|anybody)\b/gi,
    instead: 'name the user, client, worker or caller, or say "no user"',
  },
  { pattern: /\b(?:everybody|everyone)\b/gi, instead: 'say who: all users, all subscribers, every caller' },
  { pattern: /\b(?:whoever|whomever|whosoever)\b/gi, instead: 'say who: a user that, a caller who' },
  { pattern: /\bwhom\b/gi, instead: 'write "that", or name the group of users first' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) told\b/gi,
    instead: 'say what happens: gets an event, is notified, is reported',
  },
  { pattern: /\banew\b/gi, instead: 'write "again", or "a new …"' },
]

// Names, texts and data of the protocol, and the account of operating systems.
const names = new RegExp(
  [
    /@\*\*everyone\*\*|role:(?:nobody|everyone)|allow_nobody_group|[`'"](?:nobody|everyone)[`'"]/,
    /setting cannot be nobody\.|, everyone may create topics\.|'Everyone (?:on|in) [^']*'|'Nobody(?: Here)?'|'Everyone'/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** One sentence for each line of a source, or title of a test, with such a word. */
export function notPlain(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const searched = (path.endsWith('.test.ts') ? titlesOf(text) : text).replace(names, name => ' '.repeat(name.length))
    return words.flatMap(({ pattern, instead }) =>
      [...searched.matchAll(pattern)].map(
        ({ 0: word, index }) => `${path}:${lineOf(text, index)} says "${word}": ${instead}`,
      ),
    )
  })
}

/** The text with only the titles of its tests; all else is blank, so that positions stay. */
function titlesOf(text: string): string {
  const blank = text.replace(/[^\n]/g, ' ').split('')
  for (const { indices } of text.matchAll(/\.test\(\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/dg)) {
    const place = indices?.slice(1).find(found => found !== undefined)
    if (place) for (let i = place[0]; i < place[1]; i++) blank[i] = text[i] as string
  }
  return blank.join('')
}
