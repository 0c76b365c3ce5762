import { parseTemplate, type Template } from 'url-template'
import type { GroupValues } from './pattern.js'

/** A URL template (RFC 6570, all levels). */
export interface UrlTemplate {
  /** The names without duplicates. */
  readonly variables: readonly string[]
  /** Undefined if the values do not result in a URL. */
  expand(values: GroupValues): string | undefined
}

const name = String.raw`(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*`
const variable = new RegExp(String.raw`^(${name})(?::[1-9]\d{0,3}|\*)?$`)
const expression = /\{([^{}]*)\}/g
// RFC 6570 2.1, with the apostrophe of its erratum 6937.
const literal = /^(?:[!#$&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]|%[0-9A-Fa-f]{2}|[\u00a0-\ufffd]|[\u{10000}-\u{10ffff}])*$/u
const halfCharacter = /\p{Cs}/u

/** Undefined if the text does not conform to RFC 6570: the library accepts any text. */
export function parseUrlTemplate(text: string): UrlTemplate | undefined {
  if (text === '' || !literal.test(text.replace(expression, '')) || halfCharacter.test(text)) return undefined
  const variables = new Set<string>()
  for (const [, inner = ''] of text.matchAll(expression)) {
    for (const part of inner.replace(/^[+#./;?&]/, '').split(',')) {
      const found = variable.exec(part)?.[1]
      if (found === undefined) return undefined
      variables.add(found)
    }
  }
  const parsed = /\{[^{}]*:/.test(text) ? undefined : parseTemplate(text)
  return {
    variables: [...variables],
    expand: values => expand(parsed ?? parseTemplate(inUnits(text, values)), values),
  }
}

function expand(template: Template, values: GroupValues): string | undefined {
  try {
    return template.expand(values as Record<string, string>)
  } catch (error) {
    // A URL cannot contain an unpaired surrogate.
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** RFC 6570 counts a prefix, as in {name:3}, in characters; the library counts UTF-16 units. */
function inUnits(text: string, values: GroupValues): string {
  return text.replace(expression, whole =>
    whole.replace(/([\w.%]+):(\d+)/g, (_, found: string, length: string) => {
      const prefix = Array.from(values[found] ?? '').slice(0, Number(length))
      return `${found}:${Math.max(prefix.join('').length, Number(length))}`
    }),
  )
}
