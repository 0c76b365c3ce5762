// A worker is killed after PostgreSQL has committed what a request with an Idempotency-Key creates, and before the worker learns of it. The
// next worker answers the repeated request from what the transaction stored.
import t from 'tap'
import type { Params } from '../support/http.js'
import { postKeyed } from '../support/keyed.js'
import { spawnServer } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const server = await spawnServer(t, { LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' })
const { sql } = server
const author = await server.person()

// A commit that waits for the test.
await sql.unsafe(`
  create table held ();
  create function hold() returns trigger language plpgsql as $$ begin lock table held in share mode; return null; end $$;
  create constraint trigger held after insert on messages deferrable initially deferred for each row execute function hold();
  create constraint trigger held after insert on saved_snippets deferrable initially deferred for each row execute function hold();`)

interface Creation {
  readonly path: string
  readonly sent: Params
  readonly key: string
  /** The ids of what was created. */
  ids(): Promise<number[]>
}

/** Sends a request, and kills the worker between the commit and its result. */
async function loseAnswer({ path, sent, key, ids }: Creation): Promise<string> {
  const [worker] = workersOf(server.process.pid) as [number]
  let answer: Promise<string> | undefined
  await sql.begin(async tx => {
    await tx`lock table held in row exclusive mode`
    answer = postKeyed(author, path, sent, key).then(
      ({ text }) => text,
      () => 'none',
    )
    await eventually('the commit waits', async () => {
      return (await sql`select from pg_locks where relation = 'held'::regclass and not granted`).length === 1
    })
    signal(worker, 'SIGSTOP')
  })
  await eventually('PostgreSQL has committed', async () => (await ids()).length === 1)
  signal(worker, 'SIGKILL')
  return answer as unknown as Promise<string>
}

/** Repeats the request until a worker answers. */
async function repeat({ path, sent, key }: Creation): Promise<string> {
  let text = ''
  await eventually('an answer', async () => {
    const answer = await postKeyed(author, path, sent, key).catch(() => undefined)
    text = answer?.text ?? ''
    return answer !== undefined && answer.status !== 503
  })
  return text
}

const creations: Readonly<Record<string, { path: string; sent: Params; table: string; field: string }>> = {
  'a message, whose statement stores the key': {
    path: '/messages',
    sent: { type: 'direct', to: [author.id], content: 'once' },
    table: 'messages',
    field: 'id',
  },
  'a saved snippet, whose transaction stores key and answer': {
    path: '/saved_snippets',
    sent: { title: 'title', content: 'once' },
    table: 'saved_snippets',
    field: 'saved_snippet_id',
  },
}

for (const [what, { path, sent, table, field }] of Object.entries(creations)) {
  t.test(what, async t => {
    for (let round = 0; round < rounds; round++) {
      const content = `round ${round}`
      const ids = async () => {
        const rows = await sql<{ id: number }[]>`select id from ${sql(table)} where content = ${content}`
        return rows.map(row => row.id)
      }
      const creation = { path, sent: { ...sent, content }, key: `${table}-${round}`, ids }
      t.equal(await loseAnswer(creation), 'none', 'the client got no answer')
      const answers = [await repeat(creation), await repeat(creation)]
      const [id, ...more] = await ids()
      t.same(more, [], 'nothing was created twice')
      const text = JSON.stringify({ result: 'success', msg: '', [field]: id })
      t.same(answers, [text, text])
    }
  })
}
