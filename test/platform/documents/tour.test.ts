import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { testOrganization } from '../../support/server.js'
import { dataDirectory } from '../places.js'
import { runProgram } from '../program.js'
import { outputPattern, readSteps, type Step } from './read-commands.js'
import { Shell } from './shell.js'

// Runs the documents' commands literally on a demonstration organization; only the port differs.
const hasTools = ['curl', 'bash'].every(tool => spawnSync(tool, ['--version']).status === 0)
const options = { skip: !hasTools && 'needs curl and bash' }
const documented = 'http://127.0.0.1:9991'

/** A directory that looks like the project's to the commands, with a running server. */
async function reader(t: Test): Promise<{ shell: Shell; url: string }> {
  const home = dataDirectory(t)
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(projectRoot, name), join(home, name))
  const organization = await testOrganization(t)
  const settings = { DEMO: '1', WORKERS: '1', JWT_SECRETS: 'a long text that only the server knows' }
  const program = runProgram(t, organization.env({ DATA_DIR: join(home, '.data'), ...settings }))
  const url = (await program.ready).trim().replace(/^ready /, '')
  return { shell: new Shell(t, home), url }
}

async function walk(t: Test, steps: readonly Step[]): Promise<void> {
  const { shell, url } = await reader(t)
  for (const { heading, commands, output } of steps) {
    const printed = await shell.run(commands.replaceAll(documented, url))
    t.match(printed, outputPattern(output ?? ''), heading || commands)
  }
}

t.test('the tour shows E1 to E21 as it says', options, async t => {
  const steps = readSteps('docs/tour.md')
  const shown = steps.flatMap(({ heading }) => heading.match(/E\d+/g) ?? [])
  t.same(
    Array.from({ length: 21 }, (_, i) => `E${i + 1}`).filter(one => !shown.includes(one)),
    [],
    'nothing is left out',
  )
  await walk(t, steps)
})

t.test("the README's first steps do what it says", options, async t => {
  const steps = readSteps('README.md', 'First steps')
  t.ok(steps.length > 4)
  await walk(t, steps)
})
