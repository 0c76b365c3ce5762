// Counts the statements of each operation, and compares them with docs/statements.md. With WRITE_STATEMENTS=1 it writes that page.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { routes } from '../../server/api/index.js'
import { projectRoot } from '../../server/config/paths.js'
import { showAll } from '../openapi/examples/all.js'
import { jwtSecret, makeCast } from '../openapi/examples/cast.js'
import { startServer } from '../support/server.js'
import { StatementCounter } from './statements/statement-counter.js'
import { withStatements } from './statements/statements-page.js'
import { usualRequests, usualRequestsOf } from './statements/usual-requests.js'

const page = join(projectRoot, 'docs/statements.md')
const server = await startServer(t, {
  PUBLIC_URL: 'https://chat.example',
  JWT_SECRETS: JSON.stringify([{ alg: 'HS256', key: jwtSecret }]),
})
// Its jobs make statements of their own.
await server.jobs.stop()
const counter = new StatementCounter(server)

t.test('each operation makes as many statements as docs/statements.md says', async t => {
  const usual = await counter.steady(await usualRequestsOf(counter, await makeCast(server, counter, '-usual')))
  const all = await counter.steady(async run => showAll(server, counter, await makeCast(server, counter, `-${run}`)))
  writeFileSync(join(projectRoot, 'dist/statements.txt'), [...usual, ...all].map(asText).join('\n'))
  for (const [what, most] of Object.entries(usualRequests)) {
    const found = usual.get(what)?.length ?? Number.NaN
    t.ok(found <= most, `${what}: ${found} statements, at most ${most}`)
  }
  // One that is always refused has no example.
  const missing = routes.filter(({ operation, doc }) => !all.has(operation) && !doc.startsWith('Refused: '))
  t.same(missing, [], 'test/openapi/examples sends a request of each operation')
  const text = readFileSync(page, 'utf8')
  const counted = withStatements(text, usual, all)
  if (process.env.WRITE_STATEMENTS === '1') writeFileSync(page, counted)
  else t.equal(counted, text, 'run WRITE_STATEMENTS=1 npm test test/api/statements, and say why if a figure has grown')
})

const asText = ([name, statements]: readonly [string, readonly string[]]) =>
  `${name}: ${statements.length}\n${statements.map(text => `  ${text}\n`).join('')}`
