import type { ISql } from './db.js'

/** A piece of SQL with its values, for statements that are put together from conditions of which there are countless sets. */
export class Fragment {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

/** Writes a fragment; values become parameters, fragments are taken in. */
export function q(strings: TemplateStringsArray, ...values: unknown[]): Fragment {
  const texts = [strings[0] ?? '']
  const flat: unknown[] = []
  const append = (text: string) => {
    texts[texts.length - 1] += text
  }
  values.forEach((value, i) => {
    if (value instanceof Fragment) {
      append(value.strings[0] ?? '')
      value.values.forEach((inner, j) => {
        flat.push(inner)
        texts.push(value.strings[j + 1] ?? '')
      })
    } else {
      flat.push(value)
      texts.push('')
    }
    append(strings[i + 1] ?? '')
  })
  return new Fragment(texts, flat)
}

/** All of the conditions; none is always true. */
export function every(conditions: readonly Fragment[]): Fragment {
  return conditions.reduce((all, one) => q`${all} and ${one}`, q`true`)
}

export const unionAll = (selects: readonly Fragment[]): Fragment =>
  selects.reduce((all, one) => q`${all} union all ${one}`)

/**
 * Runs it without keeping a prepared statement: each set of conditions is another text, and both ends would keep every one
 * that they ever saw.
 */
export async function run<Row extends object>(sql: ISql, fragment: Fragment): Promise<Row[]> {
  const text = fragment.strings.reduce((all, part, i) => `${all}$${i}${part}`)
  return (await sql.unsafe(text, fragment.values as never[])) as unknown as Row[]
}
