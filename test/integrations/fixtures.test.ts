// The payloads beside each integration become the messages beside them. `WRITE_FIXTURES=1` writes the messages, for a reading.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'
import { integrations, UnsupportedEvent } from '../../server/integrations/index.js'
import { ApiError } from '../../shared/errors.js'
import { read } from './read.js'

interface Fixture {
  readonly headers?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly messages: unknown
}

const withFixtures = ['ci', 'gitea', 'github', 'gitlab', 'jira', 'mattermost', 'pagerduty', 'sentry', 'uptime_kuma']
const folderOf = (name: string) => join(projectRoot, 'server', 'integrations', name.replaceAll('_', '-'), 'fixtures')

for (const name of withFixtures)
  t.test(name, async t => {
    const files = readdirSync(folderOf(name))
    t.ok(files.length > 3, 'the payloads were found')
    const seen = new Set<string | undefined>()
    let refused = 0
    for (const file of files) {
      const path = join(folderOf(name), file)
      const fixture = JSON.parse(readFileSync(path, 'utf8')) as Fixture
      const messages = read(name, fixture.body, fixture)
      for (const { event } of messages) seen.add(event)
      if (process.env.WRITE_FIXTURES) writeFileSync(path, `${JSON.stringify({ ...fixture, messages }, null, 2)}\n`)
      else t.same(messages, fixture.messages, file)
      t.ok(
        messages.every(({ topic, content }) => topic !== '' && content.trim() !== ''),
        `${file}: nothing is empty`,
      )
      // Each part of a payload may be missing or of another type.
      for (const [part, body] of spoiled(fixture.body)) {
        try {
          read(name, body, fixture)
        } catch (error) {
          const isRefusal = error instanceof ApiError || error instanceof UnsupportedEvent
          if (!isRefusal) t.fail(`${file} ${part}: ${error}`)
          refused++
        }
      }
    }
    t.ok(refused > 20, 'payloads of another form are refused')
    const known = integrations.get(name)?.eventTypes
    for (const event of seen) if (event !== undefined) t.ok(known?.includes(event), `${event} is listed`)
  })

t.test('each folder with payloads is read', async t => {
  t.same(
    [...integrations.keys()].filter(name => existsSync(folderOf(name))),
    withFixtures,
  )
})

/** The payload, with one value at a time replaced. */
function spoiled(body: unknown, path: readonly string[] = []): [part: string, body: unknown][] {
  const others: [string, unknown][] = [undefined, null, 3, 'x', [], {}, ['x'], { constructor: 1 }].map(value => [
    path.join('.'),
    value,
  ])
  if (typeof body !== 'object' || body === null) return others
  const entries = Object.entries(body).flatMap(([key, value]) =>
    spoiled(value, [...path, key]).map(([part, other]): [string, unknown] => [
      part,
      Array.isArray(body) ? body.with(Number(key), other) : { ...body, [key]: other },
    ]),
  )
  return [...others, ...entries]
}
