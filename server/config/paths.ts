import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The directory of the package. SQL, Lua and redis.conf are read from the source tree, independent of the output directory of the
 * compiled program (dist/server or another one).
 */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** The directory of the built pages, next to the compiled program: `dist/web` for `dist/server`. */
export const builtPages = fileURLToPath(new URL('../../web', import.meta.url))

/** The compiled program, which is both supervisor and worker. */
export const program = fileURLToPath(new URL('../main.js', import.meta.url))

function findRoot(directory: string): string {
  const file = join(directory, 'package.json')
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'parley') return directory
  const parent = dirname(directory)
  if (parent === directory) throw new Error('The package.json of parley was not found above the program.')
  return findRoot(parent)
}
