/** A formula, or a code block whose words get classes: the part of a message that a thread renders. */
export type SlowPart =
  | { readonly kind: 'formula'; readonly source: string; readonly isDisplay: boolean }
  | { readonly kind: 'code'; readonly source: string; readonly grammar: string }

/** A slow part at its place in the HTML, and the HTML to show if it takes too long or is not valid. */
export interface PlacedPart {
  readonly part: SlowPart
  readonly plain: string
}

// The parser replaces this character in the text of a message, so only a rule can have written it.
const placeholder = '\0'

/** Leaves a placeholder for the part in the HTML; for renderer rules, which run in the order of the HTML. */
export function placePart(parts: PlacedPart[], part: SlowPart, plain: string): string {
  parts.push({ part, plain })
  return placeholder
}

/** Puts the parts in their places; a part is plain without rendered HTML. */
export function fillPlaces(html: string, parts: readonly PlacedPart[], rendered: readonly (string | null)[]): string {
  if (parts.length === 0) return html
  const [first = '', ...rest] = html.split(placeholder)
  const filled = rest.map((text, index) => (rendered[index] ?? parts[index]?.plain ?? '') + text)
  return first + filled.join('')
}
