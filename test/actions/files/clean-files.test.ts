import t from 'tap'
import { removeBytes } from '../../../server/actions/files/clean-files.js'
import { holdFiles } from '../../../server/store/backup/named-files.js'
import { openDatabase } from '../../../server/store/driver/open-database.js'
import { readFile, upload } from '../../support/files.js'
import { startServer } from '../../support/server.js'

t.test('bytes of removed files stay while a backup reads them, and no reader gets them', async t => {
  const { ctx, config, jobs, organization, url, person } = await startServer(t)
  // Its periodic job removes bytes, too.
  await jobs.stop()
  const author = await person()
  const path = await upload(url, author, { name: 'a.txt', bytes: 'text' })
  const key = path.replace('/user_uploads/', '')
  const backup = openDatabase(organization.services.databaseUrl, config.databaseSchema, 1)
  t.teardown(() => backup.end())
  t.equal(await holdFiles(backup), true)
  const other = openDatabase(organization.services.databaseUrl, config.databaseSchema, 1)
  t.teardown(() => other.end())
  t.equal(await holdFiles(other, 50), false, 'there is one backup at a time')

  const { attachments } = await author.ok('GET', '/attachments')
  await author.ok('DELETE', `/attachments/${attachments[0].id}`)
  t.equal((await readFile(url, author, path)).status, 404)
  t.equal(await removeBytes(ctx), 0)
  t.equal((await ctx.storage.readWhole(key))?.toString(), 'text')

  await backup.end()
  t.equal(await removeBytes(ctx), 1)
  t.equal(await ctx.storage.readWhole(key), undefined)
})

t.test('a backup waits until bytes that are being removed are gone', async t => {
  const { ctx, config, jobs, organization, url, person } = await startServer(t)
  // Its periodic job removes bytes, too.
  await jobs.stop()
  const author = await person()
  await upload(url, author, { name: 'a.txt', bytes: 'text' })
  const { attachments } = await author.ok('GET', '/attachments')
  await author.ok('DELETE', `/attachments/${attachments[0].id}`)
  const backup = openDatabase(organization.services.databaseUrl, config.databaseSchema, 1)
  t.teardown(() => backup.end())

  const order: string[] = []
  let holding: Promise<unknown> | undefined
  const storage = {
    async remove() {
      holding = holdFiles(backup).then(() => order.push('held'))
      await waitsForLock(organization.sql)
      order.push('removed')
    },
  }
  t.equal(await removeBytes({ ...ctx, storage: { ...ctx.storage, ...storage } as never }), 1)
  await holding
  t.same(order, ['removed', 'held'])
})

/** Resolves when a session of this database waits for an advisory lock. */
async function waitsForLock(sql: Awaited<ReturnType<typeof startServer>>['sql']): Promise<void> {
  for (;;) {
    const rows = await sql`
      select from pg_locks join pg_database d on d.oid = database
      where locktype = 'advisory' and not granted and d.datname = current_database()`
    if (rows.length > 0) return
  }
}
