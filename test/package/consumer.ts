import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { projectRoot } from '../../server/paths.js'
import { dataDirectory } from '../platform/places.js'

/** What whoever runs the tests has set (`npm_config_…`, NODE_OPTIONS) is not what somebody who installs the package has. */
const env = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR'].flatMap(name => (name in process.env ? [[name, process.env[name]]] : [])),
)

/** Runs a program to its end; what it says on standard error comes with the error that it throws. */
export function run(directory: string, command: string, ...args: string[]): string {
  // The runner of the tests gives NODE_OPTIONS to whatever is started, which the compiler does not stand.
  return execFileSync('env', ['-u', 'NODE_OPTIONS', command, ...args], {
    cwd: directory,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The tarball as `npm run package` makes it. */
export function makeTarball(t: Test): string {
  const output = run(projectRoot, process.execPath, 'server/bin/package.mjs', join(dataDirectory(t), 'parley-client'))
  return output.trim()
}

/**
 * An empty project with the client installed from its tarball. What the client depends on is linked from where the tests have it,
 * so that no registry is asked; npm still finds that the versions are those that the tarball names, or fails.
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
