import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Relative to dist/bench/all, or to another build directory beside the sources.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const bench = join(root, 'bench')

/** The directory of results, and the page made from them; neither is in the repository. */
export const places = {
  root,
  results: join(bench, 'results'),
  quickResults: join(bench, 'results', 'quick'),
  report: join(bench, 'report.html'),
  images: join(root, 'docs', 'images'),
}
