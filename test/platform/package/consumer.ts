import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { dataDirectory } from '../places.js'

/** Without npm settings and NODE_OPTIONS of the test run, which users of the package do not have. */
const env = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR'].flatMap(name => (name in process.env ? [[name, process.env[name]]] : [])),
)

/** Runs a program to its end; the error that it throws contains the program's standard error. */
export function run(directory: string, command: string, ...args: string[]): string {
  // The test runner passes NODE_OPTIONS to child processes, and the compiler fails with it.
  return execFileSync('env', ['-u', 'NODE_OPTIONS', command, ...args], {
    cwd: directory,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The tarball that `npm run package` creates. */
export function makeTarball(t: Test): string {
  const output = run(projectRoot, process.execPath, 'server/bin/package.mjs', join(dataDirectory(t), 'parley-client'))
  return output.trim()
}

/**
 * An empty project with the client installed from its tarball. Its dependencies are linked from the test's
 * node_modules, so that npm needs no registry; npm still fails if their versions differ from those that the tarball
 * requires.
 */
export function consumer(t: Test): string {
  const directory = dataDirectory(t)
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module', private: true }))
  const linked = ['msgpackr', 'zod', 'ws'].map(name => join(projectRoot, 'node_modules', name))
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--install-links=false']
  run(directory, 'npm', 'install', ...quietly, makeTarball(t), ...linked)
  mkdirSync(join(directory, 'node_modules', '@types'))
  for (const name of ['node', 'ws']) {
    const place = join('node_modules', '@types', name)
    symlinkSync(join(projectRoot, place), join(directory, place))
  }
  return directory
}
