import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { difference, pidsBelow, total, usageBelow } from '../../bench/lib/cpu.js'
import type { Account } from '../../bench/lib/load-protocol.js'
import { readOptions } from '../../bench/lib/options.js'
import { SeededServer } from '../../bench/lib/seeded.js'
import { undone } from '../../bench/lib/undo.js'
import { wordStems } from '../../server/memory/word-stems.js'
import { searchVector } from '../../server/text/search/vector.js'

// How large the search index is beside that of 0.1.0, how long the job takes to make the words of all messages again while people search, and
// which part of a message's CPU its words take: `node dist/test/jobs/measure-search-index.js [--messages 1000000] [--users 5000] [--channels 500]
// [--sends 6000] [--kill]`. `--kill` kills the worker when half of the words are made.
const defaults = { messages: 1_000_000, users: 5000, channels: 500, sends: 6000, kill: false }
const options = readOptions(process.argv.slice(2), defaults)

await undone(async undo => {
  const seeded = await SeededServer.start(undo, { ...options, workers: 1 })
  console.log(`${options.messages} messages are there`)
  const senders = await seeded.people(64)
  await measureCost(seeded, senders)
  await measureSize(seeded)
  await measureRebuild(seeded, senders)
})
process.exit(0)

/** The index, built at once, beside one of the words and marks that 0.1.0 stored. */
async function measureSize(seeded: SeededServer): Promise<void> {
  await seeded.rows(`create table measured as
    select to_tsvector('english', topic || ' ' || content) || search_marks(id, has_link, has_image, has_attachment) as search from messages`)
  await seeded.rows('create index measured_search on measured using gin (search)')
  await seeded.rows('reindex index messages_search')
  const [size] = await seeded.rows<{ now: number; before: number }>(
    `select pg_relation_size('messages_search')::float8 as now, pg_relation_size('measured_search')::float8 as before`,
  )
  await seeded.rows('drop table measured')
  if (!size) throw new Error('nothing came back')
  const { now, before } = size
  console.log(
    `index: ${Math.round(now / 2 ** 20)} MiB, of 0.1.0 ${Math.round(before / 2 ** 20)}: ${(now / before).toFixed(2)} ×`,
  )
}

async function measureRebuild(seeded: SeededServer, people: readonly Account[]): Promise<void> {
  const { server } = seeded
  const waits: number[] = []
  const [reader] = people as [Account]
  const narrow = JSON.stringify([{ operator: 'search', operand: 'budget' }])
  const search = async () => {
    const begin = performance.now()
    const { messages } = await ask(
      server.url,
      reader,
      `/messages?anchor=newest&num_before=100&num_after=0&narrow=${narrow}`,
    )
    if (messages.length < 100) throw new Error(`a search has found ${messages.length} messages`)
    waits.push(performance.now() - begin)
  }
  const progress = async () => {
    const [row] = await seeded.rows<{ next_id: number; last_id: number }>(
      'select next_id::float8 as next_id, last_id::float8 as last_id from search_rebuild',
    )
    return row as { next_id: number; last_id: number }
  }
  await seeded.rows(
    `update search_rebuild set next_id = 0, last_id = (select max(id) from messages), changes = changes + 1`,
  )
  const [{ first }] = (await seeded.rows<{ first: number }>('select min(id)::float8 as first from messages')) as [
    { first: number },
  ]
  while ((await progress()).next_id === 0) await sleep(100)
  const before = usageBelow(server.pid)
  const begin = performance.now()
  let isKilled = !options.kill
  for (;;) {
    const { next_id, last_id } = await progress()
    if (next_id > last_id) break
    if (!isKilled && next_id > (first + last_id) / 2) {
      isKilled = true
      for (const pid of workersOf(server.pid)) process.kill(pid, 'SIGKILL')
      console.log('the worker is killed')
      while (!(await answers(server.url))) await sleep(100)
    }
    await search()
    await sleep(250)
  }
  const seconds = (performance.now() - begin) / 1000
  const { server: worker, postgres } = difference(usageBelow(server.pid), before)
  const per = (cpu: number) => Math.round(cpu / options.messages)
  waits.sort((a, b) => a - b)
  const at = (share: number) => Math.round(waits[Math.floor(share * (waits.length - 1))] as number)
  console.log(
    `rebuild: ${Math.round(seconds)} s; of each message worker ${per(worker)} µs, PostgreSQL ${per(postgres)} µs; ${waits.length} searches meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)}, longest ${at(1)}`,
  )
}

const answers = (url: URL): Promise<boolean> =>
  fetch(new URL('/api/v1/server_settings', url)).then(
    ({ ok }) => ok,
    () => false,
  )

const workersOf = (root: number): number[] =>
  pidsBelow(root).filter(pid => readFileSync(`/proc/${pid}/environ`, 'utf8').includes('PARLEY_ROLE=worker'))

/** CPU of a message from its request on, of its words in the worker, and of storing and indexing these in PostgreSQL. */
async function measureCost(seeded: SeededServer, senders: readonly Account[]): Promise<void> {
  const { server } = seeded
  const texts = await seeded.rows<{ content: string; html: string; topic: string }>(
    'select content, rendered_content as html, topic from messages order by id desc limit 2000',
  )
  const stems = wordStems()(['de', 'en'])
  const makeAll = () => texts.map(({ html, topic }) => searchVector(html, topic, stems))
  const words = makeAll()
  const rounds = 5
  const begun = process.cpuUsage()
  for (let round = 0; round < rounds; round++) makeAll()
  const { user, system } = process.cpuUsage(begun)
  const making = (user + system) / rounds / texts.length

  const bodies = texts.map(one => one.content)
  const send = async (count: number) => {
    let next = 0
    await Promise.all(
      senders.map(async (who, i) => {
        const to = JSON.stringify([senders[(i + 1) % senders.length]?.id])
        while (next < count) {
          const content = bodies[next++ % bodies.length] as string
          await ask(server.url, who, '/messages', new URLSearchParams({ type: 'direct', to, content }))
        }
      }),
    )
  }
  await send(options.sends / 2)
  const before = usageBelow(server.pid)
  await send(options.sends)
  await sleep(4500)
  const message = total(difference(usageBelow(server.pid), before)) / options.sends

  await seeded.rows('create table plain (id bigint); create table indexed (id bigint, search tsvector)')
  await seeded.rows('create index on indexed using gin (search) with (gin_pending_list_limit = 16384)')
  const insert = async (text: string, isIndexed: boolean) => {
    const before = usageBelow(server.pid).postgres
    for (let round = 0; round < rounds; round++)
      for (const [i, one] of words.entries()) await seeded.rows(text, isIndexed ? [round * 2000 + i, one] : [i])
    if (isIndexed) await seeded.rows("select gin_clean_pending_list('indexed_search_idx')")
    return (usageBelow(server.pid).postgres - before) / rounds / words.length
  }
  const without = await insert('insert into plain values ($1)', false)
  const storing =
    (await insert(
      'insert into indexed values ($1, $2::text::tsvector || search_marks($1, false, false, false))',
      true,
    )) - without
  await seeded.rows('drop table plain; drop table indexed')
  console.log(
    `a message ${Math.round(message)} µs; its words ${Math.round(making)} in the worker, ${Math.round(storing)} in PostgreSQL: ${((100 * (making + storing)) / message).toFixed(1)} %`,
  )
}

async function ask(url: URL, { email, api_key }: Account, path: string, body?: URLSearchParams) {
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
  const answer = await fetch(new URL(`/api/v1${path}`, url), {
    headers: { authorization },
    ...(body && { method: 'POST', body }),
  })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { messages: unknown[] }
}
