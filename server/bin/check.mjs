import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, dist, install, root } from './prepare.mjs'
import { useSupportedNode } from './supported-node.mjs'

await useSupportedNode()
await install()
// It checks the types of all but the pages.
const isBuilt = await build()
const steps = [
  ['types of the pages', ['node_modules/typescript/bin/tsc', '--project', 'server/web/tsconfig.json']],
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ...(isBuilt ? laws().map(file => [`law ${file}`, [file]]) : []),
]
const failed = steps
  .filter(([, args]) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0)
  .map(([name]) => name)
if (!isBuilt) failed.unshift('build')
if (failed.length > 0) console.error(`Not right: ${failed.join(', ')}.`)
process.exit(failed.length > 0 ? 1 : 0)

/** The tests about the repository itself; they need no server, so each runs as a plain program. */
function laws() {
  const folder = join(dist, 'test', 'laws')
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.test.js'))
      .map(name => join('dist', 'test', 'laws', name))
  } catch {
    return []
  }
}
