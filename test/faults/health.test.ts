// The health endpoints for supervisors and load balancers. Real Redis and PostgreSQL stop and start.
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { spawnServer, startServer, testOrganization } from '../support/server.js'
import { startStores } from './support/stores.js'

const ask = async (url: string, path = '/health/ready') => {
  const answer = await fetch(url + path)
  return {
    status: answer.status,
    body: (await answer.json()) as { status: string; parts?: Record<string, { ok: boolean; reason?: string }> },
  }
}

type Answer = Awaited<ReturnType<typeof ask>>

/** The first answer that is so. */
async function until(isSo: (answer: Answer) => boolean, url: string): Promise<Answer> {
  for (;;) {
    const answer = await ask(url)
    if (isSo(answer)) return answer
    await sleep(20)
  }
}

/** A server is ready when it has read the feed for the first time, shortly after its start. */
const ready = (url: string) => until(({ status }) => status === 200, url)

t.test('a server that works is live and ready, and says no more than that', async t => {
  const server = await startServer(t)
  t.same(await ask(server.url, '/health/live'), { status: 200, body: { status: 'live' } })
  t.same(await ready(server.url), {
    status: 200,
    body: {
      status: 'ready',
      parts: {
        server: { ok: true },
        postgres: { ok: true },
        redis: { ok: true },
        feed: { ok: true },
        files: { ok: true },
      },
    },
  })
  t.equal((await fetch(`${server.url}/health`)).status, 404)
  t.equal((await fetch(`${server.url}/health/live`, { method: 'HEAD' })).status, 200)
})

/** Waits until the server reports that this database is unavailable. */
const isAway = (url: string, part: 'redis' | 'postgres') => until(({ body }) => body.parts?.[part]?.ok === false, url)

t.test('while Redis is away: live, not ready, and ready when it is back', async t => {
  const stores = await startStores(t)
  const server = await spawnServer(t, { LOG_LEVEL: 'fatal' }, await testOrganization(t, stores))
  await ready(server.url)
  await stores.redis.kill()
  const answer = await isAway(server.url, 'redis')
  t.match(answer, { status: 503, body: { status: 'not ready', parts: { redis: { reason: String } } } })
  t.notMatch(JSON.stringify(answer.body), /127\.0\.0\.1|redis:|:\d{4}/, 'it does not say where that is')
  t.equal((await ask(server.url, '/health/live')).status, 200)
  await stores.redis.start()
  t.equal((await ready(server.url)).body.status, 'ready')
})

t.test('while PostgreSQL is away: the same', async t => {
  const stores = await startStores(t)
  const server = await spawnServer(t, { LOG_LEVEL: 'fatal' }, await testOrganization(t, stores))
  await ready(server.url)
  await stores.postgres.kill()
  const answer = await isAway(server.url, 'postgres')
  t.match(answer, { status: 503, body: { parts: { postgres: { reason: String } } } })
  await stores.postgres.start()
  t.equal((await ready(server.url)).body.status, 'ready')
})

t.test('while the files cannot be used: degraded, which takes no worker out, and messages are sent', async t => {
  const data = await mkdtemp(join(tmpdir(), 'parley-files-'))
  t.teardown(() => rm(data, { recursive: true }))
  const files = join(data, 'files')
  const server = await spawnServer(t, { LOG_LEVEL: 'fatal', FILES_DIR: files, WORKERS: '2' })
  await ready(server.url)
  await rename(files, `${files}-elsewhere`)
  const answer = await until(({ body }) => body.status === 'degraded', server.url)
  t.match(answer, { status: 200, body: { parts: { files: { ok: false, reason: 'the last check failed' } } } })
  t.notMatch(JSON.stringify(answer.body), /parley-files/, 'it does not say where that is')
  const author = await server.person()
  await author.ok('POST', '/messages', { type: 'direct', to: [author.id], content: 'meanwhile' })
  await rename(`${files}-elsewhere`, files)
  t.equal((await until(({ body }) => body.status === 'ready', server.url)).status, 200)
})
