import { posix } from 'node:path'
import { codeOnly } from './code-only.js'
import { lineOf, type Source } from './sources.js'

// A Markdown file in comments, texts and links, with or without a heading; not the text of a link.
const named = /(?<=^|[\s"'`(<[])((?:\.{1,2}\/)*[\w-]+(?:\/[\w-]+)*\.md)(?:#([\w-]+))?(?!\.?\w|\]\()/gm
const ownHeading = /\]\(#([\w-]+)\)/g

// In pieces, so that this file does not break its own law.
const outside = new RegExp(
  [`${'endpoints'}.json`, `wire ${'fact'}`, `wire ${'README'}`, `house ${'rule'}`].join('|'),
  'gi',
)

/** One sentence for each reference to a file or heading that does not exist in the repository. */
export function brokenReferences(sources: readonly Source[], pages: readonly Source[]): string[] {
  const headings = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]))
  return sources.flatMap(source => [
    ...referencesOf(source).flatMap(reference => {
      const { line, name, anchor } = reference
      const page = pageOf(reference, source.path, [...headings.keys()])
      if (page === undefined) return [`${source.path}:${line} names ${name}, which is not in the repository`]
      if (anchor === undefined || headings.get(page)?.has(anchor)) return []
      return [`${source.path}:${line} names the heading ${anchor}, which ${page} does not have`]
    }),
    ...[...source.text.matchAll(outside)].map(
      ({ index, 0: found }) =>
        `${source.path}:${lineOf(source.text, index)} refers to "${found}": refer to docs/protocol`,
    ),
  ])
}

interface Reference {
  readonly line: number
  readonly name: string
  readonly anchor?: string | undefined
  readonly isLink: boolean
}

function referencesOf({ path, text }: Source): Reference[] {
  const isCode = /\.(ts|tsx|mjs|js)$/.test(path)
  const code = isCode ? codeOnly(text) : ''
  const names = [...text.matchAll(named)]
    // A match outside comments and strings is a property access.
    .filter(({ index }) => !isCode || code[index] === ' ')
    .map(({ index, 1: name = '', 2: anchor }) => {
      return { line: lineOf(text, index), name, anchor, isLink: text.slice(index - 2, index) === '](' }
    })
  if (!path.endsWith('.md')) return names
  const own = [...text.matchAll(ownHeading)].map(({ index, 1: anchor }) => {
    return { line: lineOf(text, index), name: posix.basename(path), anchor, isLink: true }
  })
  return [...names, ...own]
}

/**
 * A link is relative to its own folder; other names are relative to it or to the root. A name without a folder may be
 * any page's.
 */
function pageOf({ name, isLink }: Reference, from: string, pages: readonly string[]): string | undefined {
  const here = posix.join(posix.dirname(from), name)
  if (isLink) return pages.find(one => one === here)
  const page = pages.find(one => one === here || one === posix.normalize(name))
  return page === undefined && !name.includes('/') ? pages.find(one => posix.basename(one) === name) : page
}

/** The anchors of a page's headings, as GitHub generates them. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  const text = markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '')
  for (const [, title = ''] of text.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const words = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}

// The parts that a reader replaces (`<area>`) and those that a benchmark writes are not in the repository.
const notKept = /<|^bench\/(results|report)/

const rooted = /`((?:server|shared|bench|test)\/[^\s`#]*)[^`]*`/g
const sourceFile = /`((?!(?:server|shared|bench|test)\/)[\w.*-]+(?:\/[\w.*-]+)*\.(?:ts|tsx|mjs|lua))`/g

/**
 * One sentence for each path in backquotes on a page that names no file or folder; `*` stands for any part of a name. A page may leave
 * out the first folders of a source file.
 */
export function missingPaths(pages: readonly Source[], files: readonly string[]): string[] {
  return pages.flatMap(({ path, text }) => {
    const missing = (pattern: RegExp, start: string) =>
      [...text.matchAll(pattern)]
        .filter(([, named = '']) => !notKept.test(named) && !files.some(matcherOf(named, start)))
        .map(({ index, 1: named }) => `${path}:${lineOf(text, index)} names ${named}, which does not exist`)
    return [...missing(rooted, '^'), ...missing(sourceFile, '(^|/)')]
  })
}

function matcherOf(named: string, start: string): (file: string) => boolean {
  const pattern = named
    .replace(/\/$/, '')
    .replace(/[.+?^$()[\]{}|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
  const matcher = new RegExp(`${start}${pattern}(/|$)`)
  return file => matcher.test(file)
}
