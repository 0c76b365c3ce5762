// What every store of files promises, over a directory and over a real S3-compatible server.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readConfig } from '../../server/config.js'
import { createLog } from '../../server/log.js'
import { openStorage } from '../../server/storage/open-storage.js'
import type { Storage } from '../../server/storage/storage.js'
import { ObjectStore } from '../support/object-store.js'

const key = '1/ab/random/name.bin'
const large = randomBytes(40_000_000)

async function wholeOf(storage: Storage, start: number, end: number): Promise<Buffer | undefined> {
  const chunks = await storage.read(key, { start, end })
  if (!chunks) return undefined
  const copies: Buffer[] = []
  for await (const chunk of chunks) copies.push(Buffer.from(chunk))
  return Buffer.concat(copies)
}

/** Chunks as they come from a connection. */
function* chunksOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 200_000) yield bytes.subarray(at, at + 200_000)
}

function* brokenAfter(bytes: Buffer): Iterable<Buffer> {
  yield* chunksOf(bytes)
  throw new Error('the sender is gone')
}

async function keepsContract(t: Test, storage: Storage, dataDir: string): Promise<void> {
  t.teardown(() => storage.close())

  t.test('a file that does not exist is undefined, and may be removed', async t => {
    t.equal(await storage.read(key, { start: 0, end: 10 }), undefined)
    t.equal(await storage.readWhole(key), undefined)
    t.equal(await storage.sizeOf(key), undefined)
    await storage.remove([key, 'thumbnails/1/ab/other'])
    t.equal(await storage.isEmpty(), true)
  })

  t.test('a large file is read as a whole and in ranges', async t => {
    t.equal(await storage.write(key, Readable.from(chunksOf(large))), large.length)
    t.equal(await storage.sizeOf(key), large.length)
    t.equal(await storage.isEmpty(), false)
    t.ok((await wholeOf(storage, 0, large.length - 1))?.equals(large))
    for (const [start, end] of [
      [0, 1],
      [large.length - 1, large.length - 1],
      [1_000_000, 3_000_000],
      [39_000_001, large.length - 1],
    ] as const) {
      t.ok((await wholeOf(storage, start, end))?.equals(large.subarray(start, end + 1)), `${start} to ${end}`)
    }
  })

  t.test('a reader that leaves early leaves nothing behind', async t => {
    const chunks = await storage.read(key, { start: 0, end: large.length - 1 })
    for await (const chunk of chunks ?? []) {
      t.ok(chunk.length > 0)
      break
    }
  })

  t.test('twenty readers at once get their own bytes, also after others left early', async t => {
    const read = async (n: number, isWhole: boolean): Promise<boolean> => {
      const start = n * 100_000
      const chunks = await storage.read(key, { start, end: start + 999_999 })
      let at = start
      for await (const chunk of chunks ?? []) {
        // The chunk is valid until the next one is asked for, while other readers get theirs.
        await setImmediate()
        if (!large.subarray(at, at + chunk.length).equals(chunk)) return false
        at += chunk.length
        if (!isWhole) return true
      }
      return at === start + 1_000_000
    }
    for (let round = 0; round < 3; round++) {
      const found = await Promise.all(Array.from({ length: 20 }, (_, n) => read(n, (n + round) % 3 > 0)))
      t.same(
        found,
        Array.from({ length: 20 }, () => true),
      )
    }
  })

  t.test('a file is replaced as a whole', async t => {
    await storage.write(key, Readable.from([Buffer.from('short')]))
    t.equal((await storage.readWhole(key))?.toString(), 'short')
  })

  t.test('an empty file is a file', async t => {
    t.equal(await storage.write(key, Readable.from([])), 0)
    t.equal((await storage.readWhole(key))?.length, 0)
    t.equal(await storage.sizeOf(key), 0)
  })

  t.test('names with letters of all languages are kept', async t => {
    const odd = '1/ab/random/Grüße_日本.tar.gz'
    await storage.write(odd, Readable.from([Buffer.from('x')]))
    t.equal((await storage.readWhole(odd))?.toString(), 'x')
    await storage.remove([odd])
    t.equal(await storage.readWhole(odd), undefined)
  })

  t.test('a removed file is gone, its neighbours are not', async t => {
    await storage.write(`${key}2`, Readable.from([Buffer.from('neighbour')]))
    await storage.remove([key])
    t.equal(await storage.readWhole(key), undefined)
    t.equal((await storage.readWhole(`${key}2`))?.toString(), 'neighbour')
    t.equal(await storage.isEmpty(), false)
    await storage.remove([`${key}2`])
    t.equal(await storage.isEmpty(), true)
  })

  t.test('a sender that breaks off leaves nothing, however much has arrived', async t => {
    for (const bytes of [Buffer.from('a little'), large]) {
      await t.rejects(storage.write(key, Readable.from(brokenAfter(bytes))), { message: 'the sender is gone' })
      t.equal(await storage.readWhole(key), undefined)
      t.equal(await storage.isEmpty(), true)
    }
    const left = await readdir(dataDir, { recursive: true, withFileTypes: true })
    t.same(
      left.filter(one => one.isFile()).map(one => one.name),
      [],
    )
  })

  t.test('a check of a store that works, and the room that it has', async t => {
    await storage.check()
    const disk = await storage.space()
    if (disk) t.ok(disk.free > 0 && disk.free <= disk.total)
  })

  t.test('unfinished files of today stay', () => storage.removeUnfinished())
}

async function storageWith(t: Test, settings: Record<string, string>): Promise<[Storage, string]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-contract-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  return [await openStorage(readConfig({ DATA_DIR: dataDir, ...settings }), createLog('silent', 'test')), dataDir]
}

t.test('a directory', async t => keepsContract(t, ...(await storageWith(t, {}))))

t.test('an S3-compatible server', async t => {
  const store = await ObjectStore.start(t)
  await keepsContract(t, ...(await storageWith(t, store.settings)))
  t.test('nothing is left of it all', async t => {
    t.same(await store.keys(), [])
    t.same(await store.unfinished(), [])
  })
})
