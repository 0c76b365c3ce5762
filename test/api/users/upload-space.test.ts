import t from 'tap'
import { warnOfQuotas } from '../../../server/actions/files/warn-of-quotas.js'
import { until } from '../../http/until.js'
import { upload } from '../../support/files.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t, { UPLOAD_QUOTA_USER_MIB: '2' })
const { ctx, sql } = server
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const forbidden = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
const mib = 1_048_576
const owner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })

const add = (who: Person, size: number) =>
  upload(server.url, who, { name: 'a.bin', bytes: new Uint8Array(Math.floor(size * mib)) })
const spaceOf = (id: number) => admin.ok('GET', `/users/${id}/upload_space`)
const setTo = (id: number, upload_quota_mib: number) =>
  admin.ok('PATCH', `/users/${id}/upload_space`, { upload_quota_mib })

async function warningsTo(who: Person): Promise<string[]> {
  await ctx.directory.fresh()
  await warnOfQuotas(ctx)
  await until(async () => (await sql`select from jobs where kind = 'notice'`).length === 0)
  const { messages } = await who.ok('GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow: [] })
  return messages.map((one: { content: string }) => one.content).filter((text: string) => /Your files take/.test(text))
}

t.test('an account has a quota of its own, in place of that of the server, with warnings', async t => {
  const person = await server.person()
  t.match(await spaceOf(person.id), { used_bytes: 0, upload_quota_mib: null, default_quota_mib: 2 })
  await add(person, 1.5)
  await t.rejects(add(person, 1), /space for files of your account/)
  t.same(await warningsTo(person), [])
  await setTo(person.id, 4)
  t.match(await spaceOf(person.id), { used_bytes: 1.5 * mib, upload_quota_mib: 4 })
  await add(person, 1.9)
  t.match(await warningsTo(person), [/take 84 % of the space of your account: 4 of 4 MiB/])
  t.equal((await warningsTo(person)).length, 1, 'once')
  await t.rejects(add(person, 1), /space for files of your account/)
  await setTo(person.id, 0)
  await add(person, 1)
  t.equal((await warningsTo(person)).length, 1, 'without a limit there is no warning')
  await setTo(person.id, -1)
  t.match(await spaceOf(person.id), { upload_quota_mib: null })
  t.equal((await warningsTo(person)).length, 2, 'that of the server applies again')
  await t.rejects(add(person, 0.1), /space for files of your account/)
  const log = await sql`select actor_id, before, after from audit_log where event = 'user/upload_quota' order by id`
  t.match(
    [...log],
    [
      { actor_id: admin.id, before: { upload_quota_mib: null }, after: { upload_quota_mib: 4 } },
      { before: { upload_quota_mib: 4 }, after: { upload_quota_mib: 0 } },
      { before: { upload_quota_mib: 0 }, after: { upload_quota_mib: null } },
    ],
  )
})

t.test('bots have one, too; the same one again is no change', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  await setTo(bot.id, 7)
  await setTo(bot.id, 7)
  t.equal(
    (await sql`select from audit_log where subject = ${sql.json({ user_id: bot.id })} and event = 'user/upload_quota'`)
      .length,
    1,
  )
})

t.test('others are refused, and what is no quota', async t => {
  const person = await server.person()
  const path = `/users/${person.id}/upload_space`
  for (const who of [person, await server.person({ role: 300 }), await server.person({ role: 600 })]) {
    t.match(await who.get(path), forbidden)
    t.match(await who.patch(path, { upload_quota_mib: 5 }), forbidden)
  }
  t.match(await admin.get(`/users/${owner.id}/upload_space`), forbidden, 'of an owner only owners')
  t.match(await admin.patch(`/users/${owner.id}/upload_space`, { upload_quota_mib: 5 }), forbidden)
  t.equal((await server.api(null).get(path)).status, 401)
  t.match(await admin.patch(path, {}), { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } })
  for (const upload_quota_mib of [-2, 1_000_000_001, 1.5, 'x', '', null, '"unlimited"']) {
    t.match(await admin.patch(path, { upload_quota_mib }), refused, String(upload_quota_mib))
  }
  for (const id of [999_999, 2_147_483_648]) {
    t.match(await admin.get(`/users/${id}/upload_space`), refused)
    t.match(await admin.patch(`/users/${id}/upload_space`, { upload_quota_mib: 5 }), refused)
  }
  t.equal((await admin.get('/users/x/upload_space')).status, 404)
  t.match(await spaceOf(person.id), { upload_quota_mib: null })
})
