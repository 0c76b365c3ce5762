import t from 'tap'
import { endSession } from '../../server/actions/accounts/end-sessions.js'
import { beginSession, Sessions } from '../../server/auth/sessions.js'
import { anyOf, seeded, seedOf } from '../support/random.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const other = await startServer(t, {}, server.organization)
const people = [await server.person(), await server.person()]
const source = { admit() {}, succeeded() {} }

t.test('whatever begins, ends and changes, each worker finds the sessions of the table', async t => {
  const seed = seedOf('SESSIONS_SEED')
  t.comment(`SESSIONS_SEED=${seed}`)
  const random = seeded(seed)
  const workers = [server, other].map(({ ctx }) => ({ ctx, sessions: new Sessions(ctx) }))
  const tokens: string[] = []
  const isFound = async (worker: (typeof workers)[number], token: string) => {
    await worker.ctx.directory.fresh()
    try {
      return await worker.sessions.find(token, source)
    } catch {
      return undefined
    }
  }
  for (let step = 0; step < 40; step++) {
    const worker = anyOf(workers, random)
    const person = anyOf(people, random)
    const [at] = await server.sql<
      { id: number }[]
    >`select id from sessions where user_id = ${person.id} order by random()`
    const what = random(4)
    if (what === 0 && tokens.length < 12) {
      const place = { method: 'password', address: '127.0.0.1', userAgent: '', since: Number.MAX_SAFE_INTEGER }
      const [cookie = ''] = await beginSession(worker.ctx, person, place)
      tokens.push(/=([^;]*)/.exec(cookie)?.[1] ?? '')
    } else if (what === 1 && at) t.ok(await endSession(worker.ctx, person.id, at.id))
    else if (what === 2) await person.ok('PATCH', '/settings', { full_name: `Person ${step}` })
    else t.notOk(await endSession(worker.ctx, person.id, 1_000_000))
    const rows = await server.sql<{ id: number }[]>`select id from sessions order by id`
    for (const asked of workers) {
      const found = await Promise.all(tokens.map(token => isFound(asked, token)))
      const ids = found.flatMap(one => (one ? [one.id] : [])).sort((a, b) => a - b)
      t.same(
        ids,
        rows.map(({ id }) => id),
      )
    }
  }
})
