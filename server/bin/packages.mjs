// Makes the installed packages what the program needs: node server/bin/packages.mjs, which npm runs after each installation.
// Runs under any Node and before anything is built: nothing but Node itself may be imported here.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const installed = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules')

/** `process.versions.modules` of Node 22, the only Node that runs the program. */
const nodeModules = 127

// Changes to packages until their authors publish them.
export const patches = [
  {
    // The pool of postgres.js takes a connection from the front of a list and later puts it at the end. The list loses its used front only
    // when it is empty, which it never is while another connection is idle: it grew with each query, and each query searched all of it.
    file: 'postgres/src/queue.js',
    from: 'xs[index - 1] = undefined',
    to: 'if (index * 2 < xs.length) xs[index - 1] = undefined\n        else {\n          xs = xs.slice(index)\n          index = 0\n        }',
  },
  {
    file: 'postgres/src/queue.js',
    from: 'shift: () => {',
    to: 'pop: () => (xs.length > index ? xs.pop() : undefined),\n    shift: () => {',
  },
  {
    // The pool gives each statement the connection that was idle longest, whose process in PostgreSQL has the coldest caches, and on which
    // fewer statements are prepared. The one that was used last takes less CPU (docs/performance.md#what-dominates).
    file: 'postgres/src/index.js',
    from: 'return go(open.shift(), query)',
    to: 'return go(open.pop(), query)',
  },
  {
    // V8 frees an object of a class that extends Promise, as a query is, and what it refers to, only when it collects the whole heap.
    // The parameters of a batch of messages are a hundred kilobytes.
    file: 'postgres/src/connection.js',
    from: 'query.resolve(results || result)',
    to: 'query.resolve(results || result)\n        query.args = query.parameters = null',
  },
  {
    // An error at the end of COPY FROM STDIN, or a connection that breaks then, did not reach the stream of the rows, which never finished.
    file: 'postgres/src/connection.js',
    from: 'stream && (stream.destroy(err), stream = null)',
    to: 'stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)',
  },
  {
    // `end` of a pool waited for the answer to a statement during which its connection broke: such a stop of a worker took 5 s.
    file: 'postgres/src/connection.js',
    from: 'closedTime = performance.now()',
    to: 'query = null\n    ended && (ended(), ending = ended = null)\n    closedTime = performance.now()',
  },
]

/**
 * Applies the patches that are missing and removes what no program here reads.
 * @throws if a package changed so that a patch does not fit any more.
 */
export function preparePackages() {
  for (const patch of patches) apply(patch)
  removeForeignSockets()
}

/** Written beside and renamed, so another process never reads half of it, and a hard link to the same file keeps its text. */
function apply(patch) {
  const file = join(installed, patch.file)
  const text = readFileSync(file, 'utf8')
  const changed = patched(text, patch)
  if (changed === text) return
  const written = `${file}.${process.pid}`
  writeFileSync(written, changed)
  renameSync(written, file)
}

/** A source with the patch, which it may have already. @throws if the patch does not fit. */
export function patched(text, { file, from, to }) {
  if (text.includes(to)) return text
  if (text.split(from).length !== 2) throw new Error(`server/bin/packages.mjs: the patch of ${file} does not fit`)
  return text.replace(from, to)
}

/** uWebSockets.js brings 24 binaries, 133 MB, of which a machine loads one. */
function removeForeignSockets() {
  const own = `uws_${process.platform}_${process.arch}_${nodeModules}.node`
  const folder = join(installed, 'uWebSockets.js', 'dist', 'bin')
  if (!existsSync(join(folder, own))) return
  for (const name of readdirSync(folder)) if (name.endsWith('.node') && name !== own) rmSync(join(folder, name))
}

/** A production installation has no compiler: it needs neither types nor source maps nor manuals, a third of its size. */
function removeSources() {
  if (existsSync(join(installed, 'typescript'))) return
  for (const entry of readdirSync(installed, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /^licen[cs]e/i.test(entry.name)) continue
    if (/\.(map|[cm]?ts|md)$/.test(entry.name)) rmSync(join(entry.parentPath, entry.name))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  preparePackages()
  removeSources()
}
