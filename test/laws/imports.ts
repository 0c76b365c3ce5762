import { codeOnly } from './code-only.js'
import { lineOf, type Source } from './sources.js'

interface Import {
  readonly line: number
  /** As written: `../store/db.js`, `node:fs`, `zod`. */
  readonly of: string
  /** Whether the statement imports types only, so that nothing is loaded at run time. */
  readonly isType: boolean
}

const keyword = /\b(?:import|export)\b(?:[^'"`;=]*?\bfrom\b)?\s*\(?\s*(?=['"])/g

/** Every import and re-export of a file, including type imports and dynamic imports with a constant name. */
export function importsOf({ text }: Source): Import[] {
  const code = codeOnly(text)
  return [...text.matchAll(keyword)].flatMap(({ index, 0: head }) => {
    // The word is inside a comment or a string, which is blanked out.
    if (!/^(import|export)/.test(code.slice(index))) return []
    const start = index + head.length
    const end = text.indexOf(text[start] as string, start + 1)
    return [{ line: lineOf(text, start), of: text.slice(start + 1, end), isType: /^\w+\s+type\b/.test(head) }]
  })
}
