import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { StorageFailure } from '../../server/storage/storage-failure.js'
import { scrape, withToken } from '../platform/metrics/scrape.js'
import { sendFiles, upload } from '../support/files.js'
import { startServer } from '../support/server.js'
import { TusClient } from '../support/tus.js'

const server = await startServer(t, withToken)
const tus = new TusClient(server.url)

t.test('files have metrics: bytes by kind, the disk, and failures by operation', async t => {
  const owner = await server.person()
  const url = await upload(server.url, owner, { name: 'a', bytes: new Uint8Array(1000) })
  await (await fetch(`${server.url}${url}?api_key=${owner.api_key}`)).arrayBuffer()
  const path = await tus.begin(owner, 500)
  t.equal((await tus.send(owner, path, 0, new Uint8Array(200))).status, 204)

  let scraped = await scrape(server.url)
  while (!scraped.get('parley_files_bytes{kind="part"}')) {
    await sleep(20)
    scraped = await scrape(server.url)
  }
  t.equal(scraped.get('parley_files_up'), 1)
  t.equal(scraped.get('parley_file_failures_total{operation="write"}'), 0)
  t.equal(scraped.get('parley_files_bytes{kind="upload"}'), 1000)
  t.equal(scraped.get('parley_files_bytes{kind="part"}'), 200)
  t.equal(scraped.get('parley_file_written_bytes_total{kind="upload"}'), 1000)
  t.equal(scraped.get('parley_file_written_bytes_total{kind="part"}'), 200)
  t.equal(scraped.get('parley_file_read_bytes_total{kind="upload"}'), 1000)
  t.equal(scraped.get('parley_file_operations_total{operation="write"}'), 2)
  const [free, size] = ['free_bytes', 'bytes'].map(name => scraped.get(`parley_files_disk_${name}`) ?? 0)
  t.ok(free && size && free < size)
})

t.test('what the store refuses is counted, and health says that files do not work while messages do', async t => {
  const owner = await server.person()
  const ready = async () => {
    const answer = await fetch(`${server.url}/health/ready`)
    return { status: answer.status, body: (await answer.json()) as { status: string } }
  }
  while ((await ready()).body.status !== 'ready') await sleep(20)
  const { storage } = server.ctx
  const local = (storage as unknown as { store: typeof storage }).store
  const { write } = local
  local.write = async () => {
    throw new StorageFailure('away', undefined)
  }
  const send = () => sendFiles(server.url, owner, '/user_uploads', { files: [{ name: 'a', bytes: 'a' }] })
  t.equal((await send()).status, 503)
  t.match(await ready(), {
    status: 200,
    body: {
      status: 'degraded',
      parts: { files: { ok: false, reason: 'the last write failed' }, server: { ok: true } },
    },
  })
  const scraped = await scrape(server.url)
  t.equal(scraped.get('parley_file_failures_total{operation="write"}'), 1)
  t.equal(scraped.get('parley_files_up'), 0)
  local.write = write
  t.equal((await send()).status, 200)
  t.match(await ready(), { status: 200, body: { status: 'ready', parts: { files: { ok: true } } } })
  t.equal((await scrape(server.url)).get('parley_files_up'), 1)
})
