import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, dist, install, root } from './prepare.mjs'
import { useSupportedNode } from './supported-node.mjs'

await useSupportedNode()
await install()
// It checks the types of all but the pages.
const isBuilt = await build()
const pageTypes = ['node_modules/typescript/bin/tsc', '--project', 'server/web/tsconfig.json']
const steps = [
  ['types of the pages', [...pageTypes, '--incremental', '--tsBuildInfoFile', join(dist, '.tsbuildinfo-pages')]],
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ...(isBuilt ? [['laws', ['test/run/run-laws.mjs']]] : []),
]
const failed = steps
  .filter(([, args]) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0)
  .map(([name]) => name)
if (!isBuilt) failed.unshift('build')
if (failed.length > 0) console.error(`Not right: ${failed.join(', ')}.`)
process.exit(failed.length > 0 ? 1 : 0)
