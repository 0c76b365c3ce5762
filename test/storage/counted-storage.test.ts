import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { CountedStorage } from '../../server/storage/counted-storage.js'
import { LocalStorage } from '../../server/storage/local-storage.js'
import { StorageCounts } from '../../server/storage/storage-counts.js'
import { StorageFailure } from '../../server/storage/storage-failure.js'

const directory = await mkdtemp(join(tmpdir(), 'parley-counted-'))
t.teardown(() => rm(directory, { recursive: true }))
const local = new LocalStorage(directory)
const all = { start: 0, end: 3 }
const bytes = () => Readable.from([Buffer.from('four')])

t.test('bytes are counted by kind, calls by operation', async t => {
  const counts = new StorageCounts()
  const storage = new CountedStorage(local, counts)
  const keys = ['1/ab/x/file', 'parts/x/part', 'thumbnails/1/ab/x/file/a.webp', 'user_avatars/1/x.png']
  for (const key of keys) await storage.write(key, bytes())
  for await (const chunk of (await storage.read(keys[0] as string, all)) ?? []) t.equal(chunk.length, 4)
  t.equal((await storage.readWhole(keys[3] as string))?.length, 4)
  t.equal(await storage.readWhole('1/ab/x/none'), undefined)
  await storage.check()
  await storage.remove(keys)
  t.same(counts.written, { upload: 4, part: 4, thumbnail: 4, picture: 4, export: 0 })
  t.same(counts.read, { upload: 4, part: 0, thumbnail: 0, picture: 4, export: 0 })
  t.same(counts.calls, { write: 4, read: 3, remove: 1, check: 1 })
  t.same(counts.failures, { write: 0, read: 0, remove: 0, check: 0 })
})

t.test('failures of the store are counted, those of the sender are not', async t => {
  const counts = new StorageCounts()
  const failure = new StorageFailure('away', undefined)
  const fail = async () => {
    throw failure
  }
  const storage = new CountedStorage(
    Object.assign(new LocalStorage(directory), { write: fail, readWhole: fail, remove: fail, check: fail }),
    counts,
  )
  await t.rejects(storage.write('a', bytes()), failure)
  t.ok(counts.writeFailedAt)
  await t.rejects(storage.readWhole('a'), failure)
  await t.rejects(storage.remove(['a']), failure)
  await t.rejects(storage.check(), failure)
  t.same(counts.failures, { write: 1, read: 1, remove: 1, check: 1 })

  const healthy = new CountedStorage(local, counts)
  const gone = new Error('the sender is gone')
  await t.rejects(healthy.write('1/ab/x/a', Readable.from(fails(gone))), gone)
  t.equal(counts.failures.write, 1)
  await healthy.write('1/ab/x/a', bytes())
  t.equal(counts.writeFailedAt, undefined)
  const chunks = await healthy.read('1/ab/x/a', { start: 0, end: 9 })
  await t.rejects(Readable.from(chunks ?? []).toArray(), /shorter than its row says/)
  t.equal(counts.failures.read, 2, 'also one that comes while a file is read')
})

t.test('a reader that leaves early releases the file', async t => {
  const counts = new StorageCounts()
  let isReleased = false
  async function* source() {
    try {
      yield Buffer.from('a')
      yield Buffer.from('b')
    } finally {
      isReleased = true
    }
  }
  const storage = new CountedStorage(Object.assign(new LocalStorage(directory), { read: async () => source() }), counts)
  for await (const chunk of (await storage.read('a', all)) ?? []) {
    t.equal(String(chunk), 'a')
    break
  }
  t.ok(isReleased)
  t.equal(counts.read.upload, 1)
})

function* fails(error: Error): Iterable<Buffer> {
  yield Buffer.from('a')
  throw error
}
