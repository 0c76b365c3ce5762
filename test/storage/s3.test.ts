// An S3-compatible store that refuses, that is away, or that does not answer.

import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import t from 'tap'
import { readConfig } from '../../server/config.js'
import { createLog } from '../../server/log.js'
import { openStorage } from '../../server/storage/open-storage.js'
import { S3Bucket } from '../../server/storage/s3-bucket.js'
import { StorageFailure } from '../../server/storage/storage-failure.js'
import { ObjectStore } from '../support/object-store.js'
import type { Teardown } from '../support/services.js'

const log = createLog('silent', 'test')
const dataDir = join(tmpdir(), `parley-s3-${randomUUID()}`)
t.teardown(() => rm(dataDir, { recursive: true, force: true }))
const store = await ObjectStore.start(t)
const opened = (changes: Record<string, string> = {}) =>
  openStorage(readConfig({ DATA_DIR: dataDir, ...store.settings, ...changes }), log)

const key = '1/cd/random/file'
const source = (text = 'bytes') => Readable.from([Buffer.from(text)])
const part = Buffer.alloc(17 * 1024 * 1024, 'p')
const failsWith = (cause: RegExp) => ({ constructor: StorageFailure, message: /try again/, cause: { message: cause } })

t.test('a store that refuses everything is a failure of the store', async t => {
  const refusals = [
    [{ S3_SECRET_ACCESS_KEY: 'wrong' }, /^SignatureDoesNotMatch 403/],
    [{ S3_ACCESS_KEY_ID: 'unknown' }, /^InvalidAccessKeyId 403/],
    [{ S3_BUCKET: 'no-such-bucket' }, /^NoSuchBucket 404/],
  ] as const
  for (const [settings, cause] of refusals) {
    const storage = await opened(settings)
    await t.rejects(storage.write(key, source()), failsWith(cause))
    await t.rejects(storage.write(key, Readable.from([part])), failsWith(cause))
    await t.rejects(storage.read(key, { start: 0, end: 3 }), failsWith(cause))
    await t.rejects(storage.readWhole(key), failsWith(cause))
    await t.rejects(storage.remove([key]), failsWith(cause))
    storage.close()
  }
})

t.test('abandoned multipart uploads are removed after a day', async t => {
  const storage = await opened()
  const stuck = new Readable({ read() {} })
  stuck.push(part)
  const writing = storage.write(key, stuck)
  let ids: string[] = []
  while (ids.length === 0) ids = await store.unfinished()
  await storage.removeUnfinished()
  t.same(await store.unfinished(), ids, 'one of today is kept')
  await store.date(ids[0] ?? '', new Date(Date.now() - 2 * 86_400_000))
  await storage.removeUnfinished()
  t.same(await store.unfinished(), [])
  stuck.push(null)
  await t.rejects(writing, failsWith(/./), 'its writer, which was only slow, gets an error')
  t.equal(await storage.readWhole(key), undefined)
  storage.close()
})

t.test('a store that is away is a failure, and works again when it is back', async t => {
  const storage = await opened()
  await storage.write(key, source('before'))
  await store.kill()
  await t.rejects(storage.readWhole(key), failsWith(/ECONNREFUSED/))
  await t.rejects(storage.write(key, source('meanwhile')), failsWith(/ECONNREFUSED/))
  await t.rejects(storage.remove([key]), failsWith(/ECONNREFUSED/))
  await t.rejects(storage.removeUnfinished(), failsWith(/ECONNREFUSED/))
  await store.begin()
  t.equal((await storage.readWhole(key))?.toString(), 'before', 'nothing of the failed write is there')
  storage.close()
})

function bucketOf(t: Teardown): S3Bucket {
  const { s3 } = readConfig(store.settings)
  if (!s3) throw new Error('the settings name no store')
  const bucket = new S3Bucket(s3, log)
  t.teardown(() => bucket.close())
  return bucket
}

t.test('a request that fails for a moment is sent again, one that is refused is not', async t => {
  const bucket = bucketOf(t)
  let attempts = 0
  const result = await bucket.ask(1000, async () => {
    if (++attempts < 3) throw new Error('socket hang up')
    return 'the third'
  })
  t.equal(result, 'the third')
  const refused = bucket.ask(1000, async () => {
    attempts++
    throw Object.assign(new Error('no'), { $metadata: { httpStatusCode: 403 } })
  })
  await t.rejects(refused, failsWith(/403 no/))
  t.equal(attempts, 4)
})

t.test('a store that does not answer is given up after the time limit', async t => {
  const bucket = bucketOf(t)
  store.signal('SIGSTOP')
  const asked = bucket.ask(100, (client, abortSignal) =>
    client.send(new GetObjectCommand({ Bucket: bucket.name, Key: key }), { abortSignal }),
  )
  await t.rejects(asked, failsWith(/abort|timeout/i))
  store.signal('SIGCONT')
})

t.test('settings that do not fit together are refused at the start', async t => {
  const pair = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  for (const [settings, message] of [
    [{ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a' }, /S3_SECRET_ACCESS_KEY go together/],
    [{ S3_BUCKET: 'b', S3_SECRET_ACCESS_KEY: 'a' }, /S3_SECRET_ACCESS_KEY go together/],
    [pair, /S3_BUCKET is missing/],
    [{ S3_ENDPOINT: 'https://s3.example' }, /S3_BUCKET is missing/],
    [{ S3_BUCKET: 'b', S3_ENDPOINT: 's3.example' }, /S3_ENDPOINT must be an http\(s\) address/],
    [{ S3_BUCKET: 'b', FILES_ACCEL_PREFIX: '/files' }, /FILES_ACCEL_PREFIX is for local files/],
  ] as const) {
    t.throws(() => readConfig(settings), { message })
  }
})
