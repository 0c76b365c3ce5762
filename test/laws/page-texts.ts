import { lineOf, type Source } from './sources.js'

// A linter's rule (noJsxLiterals in biome.json) finds texts between tags.
const comment = /(?<=^|[\s;,({[])\/\/[^\n]*|\/\*[\s\S]*?\*\//gm
const word = '[\\p{L}’]{2,}'

const shapes: readonly RegExp[] = [
  // title="Close", aria-label={`Remove ${name}`}
  new RegExp(`\\b(?:title|alt|hint|label|placeholder|aria-\\w+text|aria-label)=\\{?["'\`][^"'\`$]*${word}`, 'gu'),
  // 'Close', 'Close it', `Remove ${name}`
  /(?<!\w)['`]\p{Lu}[\p{Ll}’]+(?:[ ,][^'`\n]*)?['`]/gu,
  // 'nothing was found.', `${count} messages …`
  new RegExp(`(?<!\\w)['\`][^'\`\\n]*${word} [^'\`\\n]*(?:[.:?!]|…)['\`]`, 'gu'),
  // hint: 'two words'
  new RegExp(`\\b(?:hint|title|text|label): ['\`]${word} [^'\`\\n]*['\`]`, 'gu'),
]

/** Names of keys, headers, features and products, which are the same in all languages. */
const names =
  /^['`](?:Parley(?: demonstration)?|Redis|Notification|Authorization|Basic .*|Python|Files|Enter|Escape|Tab|Home|End|Esc|Ctrl|Alt|Shift|Space)['`]$/
/** Keys of the help, which shows them by their names in the language. */
const keys = /^'(?:(?:Ctrl|Shift|Alt) \S+ *)+'$|^'Shift Enter'$/

/** One sentence for each text for people in the code of a page that is not in the catalogue (server/web/language). */
export function textsOutside(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const code = text
      .replace(comment, found => found.replace(/[^\n]/g, ' '))
      // For developers.
      .replace(/\b(?:new Error|console\.\w+)\('[^'\n]*'/g, found => found.replace(/[^\n]/g, ' '))
    return shapes.flatMap(shape =>
      [...code.matchAll(shape)]
        .filter(([found]) => !names.test(found) && !keys.test(found))
        .map(({ 0: found, index }) => `${path}:${lineOf(text, index)} has a text outside of the catalogue: ${found}`),
    )
  })
}

const physical =
  /(?<![\w-])(?:(?:margin|padding|border|inset|scroll-(?:margin|padding))-(?:left|right)|left|right|border-(?:top|bottom)-(?:left|right)-radius)(?=[\w-]*\s*:)|(?<=(?:text-align|float|clear|object-position)\s*:\s*)(?:left|right)/g
const shorthand = /(?<![\w-])(?:margin|padding|inset)\s*:([^;}]+)/g

/** One sentence for each style that names a side of the screen where it means the beginning or the end of a line. */
export function sidesNamed(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => [
    ...[...text.matchAll(physical)].map(
      ({ 0: found, index }) => `${path}:${lineOf(text, index)} names a side: ${found}; use a logical property`,
    ),
    ...[...text.matchAll(shorthand)]
      .filter(([, values = '']) => isUneven(values))
      .map(({ 0: found, index }) => `${path}:${lineOf(text, index)} has uneven sides: ${found.trim()}`),
  ])
}

/** Whether four values give the right side another one than the left side. */
function isUneven(values: string): boolean {
  const [, right, , left] = values.trim().match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []
  return left !== undefined && left !== right
}
