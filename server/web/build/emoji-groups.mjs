import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const name = 'virtual:emoji-groups'
// The page's names of the groups of Unicode.
const names = {
  smileys_emotion: 'smileys',
  people_body: 'people',
  animals_nature: 'nature',
  food_drink: 'food',
  travel_places: 'travel',
  activities: 'activities',
  objects: 'objects',
  symbols: 'symbols',
  flags: 'flags',
}

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
  const file = createRequire(import.meta.url).resolve('unicode-emoji-json/data-by-group.json')
  const groups = JSON.parse(readFileSync(file, 'utf8')).map(({ slug, emojis }) => ({
    name: names[slug],
    codes: emojis.map(({ emoji }) => codeOf(emoji)).join(' '),
  }))
  return `export const groups = ${JSON.stringify(groups)}`
}

/** The code points in hexadecimal, without the selector of the coloured form. */
const codeOf = emoji =>
  Array.from(emoji, character => character.codePointAt(0).toString(16).padStart(4, '0'))
    .filter(code => code !== 'fe0f')
    .join('-')
