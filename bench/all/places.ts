import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// From dist/bench/all, or from any other build beside the sources.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const bench = join(root, 'bench')

/** Where results are kept, and the page that is made of them: neither belongs to the sources. */
export const places = {
  root,
  results: join(bench, 'results'),
  quickResults: join(bench, 'results', 'quick'),
  report: join(bench, 'report.html'),
  images: join(root, 'docs', 'images'),
}
