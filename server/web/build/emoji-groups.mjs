import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const name = 'virtual:emoji-groups'
// Group numbers of emojibase; its group 2 contains only skin tones and hair.
const groups = [
  [0, 'Smileys'],
  [1, 'People'],
  [3, 'Animals and nature'],
  [4, 'Food'],
  [5, 'Travel'],
  [6, 'Activities'],
  [7, 'Objects'],
  [8, 'Symbols'],
  [9, 'Flags'],
]

/**
 * The module `virtual:emoji-groups`: the codes of all emoji as the API spells them, by group and in the usual order.
 * The server provides the names at run time.
 */
export function emojiGroups() {
  return {
    name: 'emoji-groups',
    resolveId: id => (id === name ? `\0${name}` : null),
    load: id => (id === `\0${name}` ? moduleText() : null),
  }
}

function moduleText() {
  const file = createRequire(import.meta.url).resolve('emojibase-data/en/compact.json')
  const all = JSON.parse(readFileSync(file, 'utf8'))
  const codesOf = group =>
    all
      .filter(emoji => emoji.group === group)
      .sort((a, b) => a.order - b.order)
      .map(emoji => emoji.hexcode.toLowerCase().replaceAll('-fe0f', ''))
  const listed = groups.map(([number, title]) => ({ title, codes: codesOf(number).join(' ') }))
  return `export const groups = ${JSON.stringify(listed)}`
}
