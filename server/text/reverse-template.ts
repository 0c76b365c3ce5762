import type { GroupValues } from './pattern.js'

/** A text with `{variable}`s that makes a linkifier's source text from a URL; `{{` and `}}` are braces. */
interface ReverseTemplate {
  readonly variables: readonly string[]
  fill(values: GroupValues): string
}

const piece = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g

/** The parsed template, or the error message. */
export function parseReverseTemplate(text: string): ReverseTemplate | string {
  const variables = new Set<string>()
  for (const [whole, variable] of text.matchAll(piece)) {
    if (variable === '') return 'Reverse template has an empty variable.'
    if (variable !== undefined) variables.add(variable)
    else if (whole.length === 1) return 'Reverse template has unbalanced braces.'
  }
  const fill = (values: GroupValues) =>
    text.replace(piece, (whole, variable?: string) =>
      variable === undefined ? whole.charAt(0) : (values[variable] ?? ''),
    )
  return { variables: [...variables], fill }
}
