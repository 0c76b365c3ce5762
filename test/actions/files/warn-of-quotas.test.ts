import t from 'tap'
import { warnOfQuotas } from '../../../server/actions/files/warn-of-quotas.js'
import { until } from '../../http/until.js'
import { upload } from '../../support/files.js'
import { setOrganization, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t, { UPLOAD_QUOTA_USER_MIB: '2' })
const { ctx, sql } = server
const [owner, admin, member] = [
  await server.person({ role: 100 }),
  await server.person({ role: 200, settings: { default_language: 'de' } }),
  await server.person(),
]
const kib = 1024

const warnings = async (who: Person, pattern: RegExp): Promise<number> => {
  const narrow = [{ operator: 'is', operand: 'dm' }]
  const { messages } = await who.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow,
    apply_markdown: false,
  })
  return messages.filter((one: { content: string }) => pattern.test(one.content)).length
}
const run = async () => {
  await ctx.directory.fresh()
  await warnOfQuotas(ctx)
  await until(async () => (await sql`select from jobs where kind = 'notice'`).length === 0)
}
const add = (who: Person, size: number) => upload(server.url, who, { name: 'a.bin', bytes: new Uint8Array(size * kib) })

t.test('administrators are warned at 80 and at 95 percent, once each', async t => {
  const ofAll = /files of this organization take|Dateien dieser Organisation belegen/
  await setOrganization(sql, { upload_quota_mib: 10 })
  await sql`update upload_space set bytes = 7 * 1048576`
  await run()
  t.equal(await warnings(owner, ofAll), 0)
  await sql`update upload_space set bytes = 7 * 1048576, archived_bytes = 1048576`
  await run()
  await run()
  t.same([await warnings(owner, ofAll), await warnings(admin, ofAll), await warnings(member, ofAll)], [1, 1, 0])
  await sql`update upload_space set bytes = 9 * 1048576`
  await Promise.all([warnOfQuotas(ctx), run()])
  t.equal(await warnings(admin, /belegen 100 % ihres Platzes: 10 von 10 MiB/), 1)
  await sql`update upload_space set bytes = 8 * 1048576`
  await run()
  t.equal(await warnings(admin, ofAll), 2, 'from 100 to 90 percent')
  await sql`update upload_space set bytes = 0, archived_bytes = 0`
  await run()
  await sql`update upload_space set bytes = 8 * 1048576`
  await run()
  t.equal(await warnings(admin, ofAll), 3, 'again, after it was below')
  await sql`update upload_space set bytes = 0`
})

t.test('a user is warned of the own space, and an upload beyond it is refused with the reason', async t => {
  const own = /Your files take/
  await add(member, 1000)
  await run()
  t.equal(await warnings(member, own), 0)
  await add(member, 800)
  await run()
  await run()
  t.same([await warnings(member, own), await warnings(owner, own)], [1, 0])
  await setUser(sql, member.id, { settings: { default_language: 'de' } })
  await add(member, 150)
  await run()
  t.equal(await warnings(member, /Deine Dateien belegen 95 % des Platzes deines Kontos/), 1)
  await t.rejects(add(member, 500), /Upload would exceed the space for files of your account/)
})
