// Figures of the README that another place decides.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { routes } from '../../server/api/index.js'
import { projectRoot } from '../../server/config/paths.js'

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')
const readme = read('README.md')

t.test('the README has the number of operations', async t => {
  t.equal(Number(/the same (\d+) operations/.exec(readme)?.[1]), routes.length)
})

t.test('the README has the figure of the resume storm that the page on performance has', async t => {
  const [, measured] =
    /^\| resume storm, 5,000 clients .*?\|[^|]*\| ([\d.]+) s/m.exec(read('docs/performance.md')) ?? []
  t.ok(measured)
  t.equal(/are all live again after ([\d.]+) s/.exec(readme)?.[1], measured)
})
