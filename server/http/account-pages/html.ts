import { escapeAttribute } from '../../text/escape.js'

/** HTML of this program; all other texts in it are escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Insert = Html | string | number | false | undefined | readonly Insert[]

/** Makes HTML of a template: everything inserted is escaped, except HTML of another template. */
export function html(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return new Html(strings.map((text, i) => text + textOf(inserts[i])).join(''))
}

function textOf(insert: Insert): string {
  if (insert instanceof Html) return insert.text
  if (Array.isArray(insert)) return insert.map(textOf).join('')
  return insert === undefined || insert === false ? '' : escapeAttribute(String(insert))
}
