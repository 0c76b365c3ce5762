import { parseTemplate, type Template } from 'url-template'
import type { GroupValues } from './pattern.js'

/** An address with variables (RFC 6570, all levels). */
export interface UrlTemplate {
  /** Each once. */
  readonly variables: readonly string[]
  /** Undefined when the values do not make an address. */
  expand(values: GroupValues): string | undefined
}

const name = String.raw`(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*`
const variable = new RegExp(String.raw`^(${name})(?::[1-9]\d{0,3}|\*)?$`)
const expression = /\{([^{}]*)\}/g
// RFC 6570 2.1, and the apostrophe that its erratum 6937 adds.
const literal = /^(?:[!#$&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]|%[0-9A-Fa-f]{2}|[\u00a0-\ufffd]|[\u{10000}-\u{10ffff}])*$/u
const halfCharacter = /\p{Cs}/u

/** Undefined when the text is no template by RFC 6570: the library behind it takes anything. */
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
    // Half of a surrogate pair is no character that an address could have.
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** A prefix, as in {name:3}, is counted in characters; the library counts UTF-16 units. */
function inUnits(text: string, values: GroupValues): string {
  return text.replace(expression, whole =>
    whole.replace(/([\w.%]+):(\d+)/g, (_, found: string, length: string) => {
      const prefix = Array.from(values[found] ?? '').slice(0, Number(length))
      return `${found}:${Math.max(prefix.join('').length, Number(length))}`
    }),
  )
}
