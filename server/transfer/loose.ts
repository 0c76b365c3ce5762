import { wellFormed } from '../text/content.js'

// Reads values of archives, whose fields can be missing or of any type.

export type Loose = Readonly<Record<string, unknown>>

export function recordOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined
}

export const inside = (value: unknown): Loose => recordOf(value) ?? {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Without NUL and unpaired surrogates, which PostgreSQL refuses. Anything but a text is ''. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? wellFormed(value.replaceAll('\0', '')) : ''
}

/** The first text that is not empty; '' without one. */
export function firstText(...values: readonly unknown[]): string {
  for (const value of values) {
    const text = textOf(value)
    if (text.trim() !== '') return text
  }
  return ''
}
