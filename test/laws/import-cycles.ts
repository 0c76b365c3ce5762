import { posix } from 'node:path'
import { importsOf } from './imports.js'
import type { Source } from './sources.js'

/**
 * Folders whose subfolders count as parts of the folder above: those of `narrow/` lie in different layers (layers.ts), and `narrow/sql/` lies
 * between areas of the store.
 */
const spreadFolders = ['server/narrow/', 'server/store/']

/** The imports of each node, with the line of the first one. A node is a folder or a file. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>

interface Link {
  readonly from: string
  readonly to: string
  readonly line: number
}

/**
 * One sentence for each cycle of imports, type imports included, among the parts of a folder: the folders directly in it, and the files beside
 * these. All folders are examined, so the areas of `server/actions/` have an order like the folders of `server/`, and no file imports itself
 * through others.
 */
export function importCycles(sources: readonly Source[]): string[] {
  const links = linksOf(sources)
  return foldersOf(sources).flatMap(folder => cyclesIn(graphOf(links, path => partOf(folder, path))))
}

function linksOf(sources: readonly Source[]): Link[] {
  const paths = new Set(sources.map(source => source.path))
  return sources.flatMap(source =>
    importsOf(source).flatMap(({ of, line }) => {
      const to = targetOf(source.path, of, paths)
      return to === undefined ? [] : [{ from: source.path, to, line }]
    }),
  )
}

/** The imported file; undefined for a package, or for what is no source. */
function targetOf(from: string, of: string, paths: ReadonlySet<string>): string | undefined {
  if (!of.startsWith('.')) return undefined
  const path = posix.join(posix.dirname(from), of)
  return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find(one => paths.has(one))
}

/** All folders that contain sources, each ending in a slash; the root of the package is empty. */
function foldersOf(sources: readonly Source[]): string[] {
  const folders = new Set([''])
  for (const { path } of sources) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at + 1))
  }
  return [...folders].sort()
}

/** The folder or file directly in `folder` that is or contains this file. */
function partOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(folder)) return undefined
  const spread = spreadFolders.find(one => path.startsWith(one) && posix.join(one, '../') === folder)
  const end = path.indexOf('/', (spread ?? folder).length)
  return end < 0 ? path : path.slice(0, end)
}

function graphOf(links: readonly Link[], nodeOf: (path: string) => string | undefined): Graph {
  const graph = new Map<string, Map<string, string>>()
  for (const link of links) {
    const [from, to] = [nodeOf(link.from), nodeOf(link.to)]
    if (from === undefined || to === undefined || (from === to && from !== link.from)) continue
    const edges = graph.get(from) ?? new Map<string, string>()
    graph.set(from, edges)
    if (!edges.has(to)) edges.set(to, `${link.from}:${link.line}`)
  }
  return graph
}

/** The shortest cycle through each node, without nodes of cycles that were found before. */
function cyclesIn(graph: Graph): string[] {
  const found: string[] = []
  const named = new Set<string>()
  for (const start of [...graph.keys()].sort()) {
    const cycle = named.has(start) ? undefined : shortestCycle(graph, start)
    if (!cycle) continue
    for (const node of cycle) named.add(node)
    const steps = cycle.map((node, i) => {
      const next = cycle[(i + 1) % cycle.length] as string
      return `${graph.get(node)?.get(next)} imports ${next}`
    })
    found.push(steps.join(', '))
  }
  return found
}

/** The nodes of a shortest way from a node back to it, without the return. */
function shortestCycle(graph: Graph, start: string): string[] | undefined {
  const before = new Map<string, string>()
  const waiting = [start]
  for (const node of waiting) {
    for (const next of graph.get(node)?.keys() ?? []) {
      if (next === start) return wayTo(node, before)
      if (before.has(next)) continue
      before.set(next, node)
      waiting.push(next)
    }
  }
  return undefined
}

function wayTo(node: string, before: ReadonlyMap<string, string>): string[] {
  const previous = before.get(node)
  return previous === undefined ? [node] : [...wayTo(previous, before), node]
}
