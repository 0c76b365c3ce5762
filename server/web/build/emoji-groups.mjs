import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const name = 'virtual:emoji-groups'
// Group numbers of emojibase; its group 2 contains only skin tones and hair.
const groups = [
  [0, 'smileys'],
  [1, 'people'],
  [3, 'nature'],
  [4, 'food'],
  [5, 'travel'],
  [6, 'activities'],
  [7, 'objects'],
  [8, 'symbols'],
  [9, 'flags'],
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
  const listed = groups.map(([number, name]) => ({ name, codes: codesOf(number).join(' ') }))
  return `export const groups = ${JSON.stringify(listed)}`
}
