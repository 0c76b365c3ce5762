// The disk becomes full in the middle of an export: it fails, the requester gets a message, what was written is removed, and a later export succeeds.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Archive, exported, exportsOf } from '../support/exports.js'
import { upload } from '../support/files.js'
import { spawnServer } from '../support/server.js'
import { smallDisk } from './support/small-disk.js'
import { eventually } from './support/wait.js'

const megabyte = 2 ** 20

t.test('the disk becomes full while an export is written', async t => {
  const disk = await smallDisk(t, 24)
  if (!disk) return void t.pass('a disk that is full', { skip: 'no small file system may be mounted here' })
  const settings = { LOG_LEVEL: process.env.FAULT_LOG ?? 'silent', DATA_DIR: disk.path, RATE_LIMIT_USER: '0' }
  const { url, sql, person } = await spawnServer(t, settings)
  const owner = await person({ role: 100 })
  const paths: string[] = []
  for (const name of ['a.bin', 'b.bin']) {
    const bytes = new Uint8Array(randomBytes(7 * megabyte))
    paths.push(await upload(url, owner, { name, type: 'application/octet-stream', bytes }))
  }
  const parts = async () => {
    const files = await readdir(join(disk.path, 'files'), { recursive: true, withFileTypes: true })
    return files.filter(one => one.isFile() && /exports|unfinished/.test(one.parentPath)).length
  }
  const all = { export_type: 'full_without_consent' }
  const failed = await exported(owner, all)
  t.match(failed, { export_url: null, failed_timestamp: Number, pending: false })
  const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] })
  t.match(messages[0]?.content, /has failed.*no room for more files/)
  await sql`update jobs set due = now() where kind = 'remove-files'`
  await eventually('the parts are removed', async () => (await parts()) === 0)
  t.same([...(await sql`select from export_parts`)], [])

  const { attachments } = await owner.ok('GET', '/attachments')
  await owner.ok('DELETE', `/attachments/${attachments[1].id}`)
  await sql`update jobs set due = now() where kind = 'remove-files'`
  await eventually('the file is removed', async () => (await sql`select from loose_files`).length === 0)
  const { export_url } = await exported(owner, all)
  const archive = await Archive.at(export_url)
  t.equal(archive.files.get(`uploads/${paths[0]?.slice('/user_uploads/'.length)}`)?.length, 7 * megabyte)
  t.equal((await exportsOf(owner)).length, 2)
})
