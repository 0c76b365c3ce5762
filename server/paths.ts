import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The directory of the package. SQL, Lua and redis.conf are read from the source tree, wherever the compiled program lies
 * (dist/server, another output directory).
 */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** The built pages, beside the compiled program that serves them: `dist/web` for `dist/server`. */
export const builtPages = fileURLToPath(new URL('../web', import.meta.url))

function findRoot(directory: string): string {
  const file = join(directory, 'package.json')
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'parley') return directory
  const parent = dirname(directory)
  if (parent === directory) throw new Error('The package.json of parley was not found above the program.')
  return findRoot(parent)
}
