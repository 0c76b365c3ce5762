import t from 'tap'
import { Listener } from '../support/in-step.js'
import { Browser, publicUrl } from '../support/providers/browser.js'
import { Company } from '../support/providers/company.js'
import { startServer, testOrganization } from '../support/server.js'
import { startWorker } from './support/killable-worker.js'
import { killedAt } from './support/killed-at.js'

t.test('a worker is killed while a sign-in applies groups and roles', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const company = await Company.start(t)
  const mapping = { groups: { builders: 'engineers', writers: 'authors' }, roles: { leads: 'moderator' } }
  const settings = { OIDC_PROVIDERS: JSON.stringify([company.settings(mapping)]), PUBLIC_URL: publicUrl }
  const bystander = await startServer(t, settings, organization)
  company.serverUrl = bystander.url
  const owner = await bystander.person({ role: 100 })
  const people = [await bystander.person(), await bystander.person()]
  for (const name of ['engineers', 'authors']) {
    await owner.ok('POST', '/user_groups/create', { name, description: '', members: [] })
  }

  const signIn = (url: string) =>
    new Browser({ [publicUrl]: url }).follow(
      `${publicUrl}/accounts/login/social/oidc`,
      location => location === `${publicUrl}/`,
    )
  const facts = async (id: number) => {
    const [row] = await sql`
      select role, (select count(*)::int from identities where user_id = ${id}) as links,
        (select count(*)::int from user_group_members where user_id = ${id}) as groups,
        (select count(*)::int from sessions where user_id = ${id}) as sessions,
        (select count(*)::int from audit_log where event = 'realm_user/update' and subject ->> 'user_id' = ${String(id)}) as changes
      from users where id = ${id}`
    return row
  }

  /** Signs in at a worker that is killed while it waits to insert into the table. */
  async function signInKilledAt(table: string): Promise<void> {
    const worker = await startWorker(t, organization, settings)
    await killedAt(organization, worker, table, () => signIn(worker.url))
  }

  for (const [i, table] of (['user_group_members', 'sessions'] as const).entries()) {
    const { id, email } = people[i] as (typeof people)[number]
    company.people.set(`s${i}`, { email, email_verified: true, name: 'X', groups: ['builders', 'writers', 'leads'] })
    company.present = `s${i}`
    const ear = await Listener.start(bystander.ctx, owner)
    await signInKilledAt(table)
    const isStored = table === 'sessions'
    const none = { role: 400, links: 0, groups: 0, sessions: 0, changes: 0 }
    const all = { role: 300, links: 1, groups: 2, sessions: 0, changes: 1 }
    t.same(await facts(id), isStored ? all : none, `${table}: nothing is half-made`)
    await signIn(bystander.url)
    t.same(await facts(id), { ...all, sessions: 1 }, `${table}: everything, and once`)
    const events = await ear.inStep(t)
    const joined = events.filter(event => event.op === 'add_members' && event.user_ids.includes(id))
    const named = new Set(joined.map(event => event.group_id))
    t.ok(joined.length >= 2)
    t.equal(named.size, joined.length, `${table}: each group once`)
    t.equal(events.filter(event => event.type === 'realm_user' && event.person?.role === 300).length, 1)
  }
})
