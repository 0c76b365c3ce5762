import { posix } from 'node:path'
import { importsOf } from './imports.js'
import type { Source } from './sources.js'

/** The imports of each node, with the line of the first one. A node is a file or a folder. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>

/** One sentence for each cycle of imports between files, type imports included; it names every file of the cycle. */
export const fileCycles = (sources: readonly Source[]): string[] => cyclesIn(graphOf(sources, path => path))

/** As `fileCycles`, between the folders directly in `server/`, the areas of those that have some, and each file beside them. */
export const folderCycles = (sources: readonly Source[]): string[] =>
  cyclesIn(graphOf(sources, path => /^server\/(?:(?:store|narrow)\/)?[^/]+/.exec(path)?.[0]))

function graphOf(sources: readonly Source[], nodeOf: (path: string) => string | undefined): Graph {
  const paths = new Set(sources.map(source => source.path))
  const graph = new Map<string, Map<string, string>>()
  for (const source of sources) {
    const from = nodeOf(source.path)
    for (const { of, line } of importsOf(source)) {
      const target = targetOf(source.path, of, paths)
      const to = target === undefined ? undefined : nodeOf(target)
      if (from === undefined || to === undefined || (from === to && source.path !== target)) continue
      const edges = graph.get(from) ?? new Map<string, string>()
      graph.set(from, edges)
      if (!edges.has(to)) edges.set(to, `${source.path}:${line}`)
    }
  }
  return graph
}

/** The imported file; undefined for a package, or for what is no source. */
function targetOf(from: string, of: string, paths: ReadonlySet<string>): string | undefined {
  if (!of.startsWith('.')) return undefined
  const path = posix.join(posix.dirname(from), of)
  return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find(one => paths.has(one))
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
