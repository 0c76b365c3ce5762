import { posix } from 'node:path'
import { importsOf } from './imports.js'
import type { Source } from './sources.js'

const folder = 'server/memory/'
const facts = ['Source', 'Version', 'Bound', 'Dropped'] as const

// The list of all parts, and a timer.
const noParts: readonly string[] = ['memory.ts', 'directory-refresh.ts']

/**
 * One sentence for each file of server/memory/ that does not state, in the comment of what it exports, where its content comes from, which
 * version says that it is still right, its bound, and what drops it. Files that only files of the folder import are details of these.
 */
export function unstatedMemory(sources: readonly Source[]): string[] {
  const used = new Set(sources.filter(({ path }) => !path.startsWith(folder)).flatMap(targetsOf))
  return sources
    .filter(({ path }) => path.startsWith(folder) && used.has(path) && !noParts.includes(path.slice(folder.length)))
    .flatMap(({ path, text }) => {
      const missing = facts.filter(fact => !new RegExp(`^ \\* ${fact}: \\S`, 'm').test(text))
      return missing.length === 0 ? [] : [`${path} does not state: ${missing.join(', ')}`]
    })
}

const targetsOf = (source: Source): string[] =>
  importsOf(source).map(({ of }) => posix.join(posix.dirname(source.path), of).replace(/\.js$/, '.ts'))
