import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readConfig } from '../../server/config.js'
import { createLog, type Log } from '../../server/log.js'
import { FilesWatch } from '../../server/monitor/files-watch.js'
import { openStorage } from '../../server/storage/open-storage.js'
import type { DiskSpace } from '../../server/storage/storage.js'
import { StorageCounts } from '../../server/storage/storage-counts.js'
import { ObjectStore } from '../support/object-store.js'

const mib = 1024 * 1024

async function directory(t: Test, parent = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(parent, 'parley-watch-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

/** A watch that checks all the time, and what it logs. */
async function watching(t: Test, settings: Record<string, string>, disk?: () => DiskSpace) {
  const storage = await openStorage(readConfig(settings), createLog('silent', 'test'))
  const logged: string[] = []
  const log = { warn: (_: unknown, text: string) => logged.push(text), info: (text: string) => logged.push(text) }
  const counts = new StorageCounts()
  const watched = disk ? { check: () => storage.check(), space: async () => disk() } : storage
  const sizes = async () => ({ upload: 5, part: 3 })
  const watch = new FilesWatch({ storage: watched, counts, sizes, log: log as unknown as Log }, 5)
  t.teardown(async () => {
    await watch.stop()
    storage.close()
  })
  const until = async (isOk: boolean): Promise<string | undefined> => {
    while (watch.state().ok !== isOk) await new Promise(resolve => setTimeout(resolve, 5))
    return watch.state().reason
  }
  return { watch, counts, logged, until }
}

const away = 'the files cannot be used'
const back = 'the files can be used again'

t.test('a directory that is gone, or is none', async t => {
  const data = await directory(t)
  const files = join(data, 'files')
  const { until, logged } = await watching(t, { DATA_DIR: data })
  await until(true)
  // The first check makes both directories.
  while (!existsSync(join(files, 'unfinished'))) await new Promise(resolve => setTimeout(resolve, 5))
  for (const instead of [undefined, 'a file']) {
    await rename(files, `${files}-elsewhere`)
    if (instead !== undefined) await writeFile(files, instead)
    t.equal(await until(false), 'the last check failed')
    if (instead !== undefined) await unlink(files)
    await rename(`${files}-elsewhere`, files)
    await until(true)
  }
  t.same(logged, [away, back, away, back], 'each outage is logged once')
})

const memory = '/dev/shm'
const hasOther = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev
t.test('a file system that is no longer mounted', { skip: !hasOther && 'needs a second file system' }, async t => {
  const [here, there] = [await directory(t), await directory(t, memory)]
  const link = join(await directory(t), 'files')
  await symlink(there, link)
  const { until } = await watching(t, { FILES_DIR: link })
  while (!existsSync(join(there, 'unfinished'))) await new Promise(resolve => setTimeout(resolve, 5))
  const swap = async (target: string) => {
    await symlink(target, `${link}-next`)
    await rename(`${link}-next`, link)
  }
  await swap(here)
  t.equal(await until(false), 'the last check failed')
  await swap(there)
  await until(true)
})

t.test('a disk without room for new files', async t => {
  let free = 100 * mib
  const { watch, until } = await watching(t, { DATA_DIR: await directory(t) }, () => ({ free, total: 1000 * mib }))
  await until(true)
  free = 19 * mib
  t.equal(await until(false), 'no room for new files')
  const values = Object.fromEntries(watch.readings().map(({ name, value }) => [name, value]))
  t.match(values, { parley_files_disk_free_bytes: free, parley_files_disk_bytes: 1000 * mib, parley_files_up: 0 })
  free = 21 * mib
  await until(true)
})

t.test('a write that failed, until one succeeds', async t => {
  const { watch, counts } = await watching(t, { DATA_DIR: await directory(t) })
  counts.writeFailedAt = performance.now()
  t.same(watch.state(), { ok: false, reason: 'the last write failed' })
  counts.writeFailedAt = performance.now() - 61_000
  t.same(watch.state(), { ok: true }, 'one of a minute ago, after which there was none, says nothing')
  counts.writeFailedAt = undefined
  t.same(watch.state(), { ok: true })
})

t.test('an object store that is away', async t => {
  const store = await ObjectStore.start(t)
  const { watch, until, logged } = await watching(t, { DATA_DIR: await directory(t), ...store.settings })
  await until(true)
  await store.kill()
  t.equal(await until(false), 'the last check failed')
  t.notMatch(JSON.stringify(watch.state()), /127\.0\.0\.1|parley-test/, 'it does not say where that is')
  await store.begin()
  await until(true)
  t.same(logged, [away, back])
  t.same(await store.keys(), [], 'checks store nothing')
})
