import t from 'tap'
import { newLinkKey } from '../../server/actions/accounts/new-secrets.js'
import { storeJoinKey } from '../../server/store/accounts/confirmations.js'
import { insertInvitations } from '../../server/store/accounts/invitations.js'
import { Browser, givePassword, password } from '../support/browser.js'
import { newMails } from '../support/mails.js'
import { setOrganization } from '../support/organization.js'
import { PageClient } from '../support/page-client.js'
import { startServer, testOrganization } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { startWorker } from './support/killable-worker.js'
import { eventually } from './support/wait.js'

t.test('a worker is killed while people join', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const bystander = await startServer(t, {}, organization)
  const mails = newMails(sql, bystander.config.dataDir)
  const inviter = await bystander.person({ role: 100 })
  await inviter.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'first' }, { name: 'newcomers' }] })
  const channel = async (name: string) => (await inviter.ok('GET', '/get_stream_id', { stream: name })).stream_id
  const [first, newcomers] = [await channel('first'), await channel('newcomers')]
  await setOrganization(sql, { signup_announcements_stream_id: newcomers, invite_required: false })
  await inviter.ok('POST', '/messages', { type: 'stream', to: first, topic: 'plans', content: 'hello' })

  const keys = {
    async invitation(email: string): Promise<string> {
      const key = newLinkKey()
      const terms = {
        inviter_id: inviter.id,
        role: 400,
        created: new Date(),
        expires: null,
        channel_ids: [first],
        group_ids: [],
        with_default_channels: false,
        notifies_inviter: true,
        welcome_text: null,
      }
      await sql.begin(tx => insertInvitations(tx, [{ email, key }], terms, null))
      return key
    },
    async confirmation(address: string): Promise<string> {
      const key = newLinkKey()
      const times = { now: new Date(), expires: new Date(Date.now() + 86_400_000) }
      await sql.begin(tx => storeJoinKey(tx, { key, ...times }, { address, link_key: null }))
      return key
    },
  }
  const facts = async (email: string) => {
    const [row] = await sql`
      select (select count(*) from users where delivery_email = ${email})::int as accounts,
        (select count(*) from subscriptions s join users u on u.id = s.user_id where delivery_email = ${email})::int as subscriptions,
        (select count(*) from invitations where email = ${email})::int as invitations,
        (select count(*) from confirmations where address = ${email})::int as confirmations,
        (select count(*) from messages where content like ${`%**Name of ${email.split('@')[0]}|%`})::int as notices,
        (select count(*) from messages m join conversations c on c.id = m.conversation_id join users u on u.id = any(c.user_ids)
          where u.delivery_email = ${email} and content like 'Hello, and welcome%')::int as greetings`
    return row
  }

  /** Runs `work` while each insert into the table waits, until `meanwhile` has ended. */
  async function whileHeld(table: string, work: () => Promise<unknown>, meanwhile: () => Promise<void>): Promise<void> {
    const holder = await sql.reserve()
    await sql.unsafe(`
      create function wait_here() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
      create trigger waits before insert on ${table} for each row execute function wait_here()`)
    await holder`select pg_advisory_lock(4711)`
    const done = work().catch(() => 'the worker ended')
    await eventually('the insert waits', async () => {
      const rows = await holder`select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`
      return rows.length > 0
    })
    await meanwhile()
    await holder`select pg_advisory_unlock(4711)`
    holder.release()
    await done
    await eventually('its transaction has ended', async () => {
      const rows = await sql`select from pg_locks where locktype = 'advisory' and objid = 4711`
      return rows.length === 0
    })
    await sql.unsafe(`drop trigger waits on ${table}; drop function wait_here()`)
  }

  const join = (url: string, key: string, email: string) =>
    new PageClient(url).post('/accounts/register/', {
      key,
      full_name: `Name of ${email.split('@')[0]}`,
      password: 'seven tall wooden boats',
    })

  /** Transactions that wait for one another. */
  const waiting = async () =>
    (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and wait_event <> 'advisory'`).length

  for (let round = 0; round < rounds; round++) {
    for (const kind of ['invitation', 'confirmation'] as const) {
      const [early, late] = [`early${round}${kind}@team.example`, `late${round}${kind}@team.example`]
      const isInvitation = kind === 'invitation'
      const kept = { invitations: isInvitation ? 1 : 0, confirmations: isInvitation ? 0 : 1 }

      const key = await keys[kind](early)
      const worker = await startWorker(t, organization)
      const table = isInvitation ? 'subscriptions' : 'users'
      await whileHeld(table, () => join(worker.url, key, early), worker.kill)
      t.same(
        await facts(early),
        { accounts: 0, subscriptions: 0, ...kept, notices: 0, greetings: 0 },
        'nothing is half-made',
      )
      t.match(await join(bystander.url, key, early), { status: 302, location: '/' }, 'the key is still good')

      const other = await keys[kind](late)
      const second = await startWorker(t, organization)
      // Only the worker that will be killed begins the jobs at once.
      await whileHeld('messages', () => join(second.url, other, late), second.kill)
      // As if the claims of the dead worker had run out.
      await sql`update jobs set due = now() where kind = 'notice'`
      const made = isInvitation ? { notices: 2, subscriptions: 1 } : { notices: 1, subscriptions: 0 }
      for (const email of [early, late]) {
        await eventually(
          'the jobs are done',
          async () => (await sql`select from jobs where kind = 'notice'`).length === 0,
        )
        const wanted = { accounts: 1, ...made, invitations: 0, confirmations: 0, greetings: 1 }
        t.same(await facts(email), wanted, `${email}: everything, and once`)
      }
      t.equal((await join(bystander.url, other, late)).status, 404, 'the key is used up')
    }
  }

  await t.test('an invitation is accepted at two workers at once, of which one is killed', async t => {
    const email = 'twice@team.example'
    const key = await keys.invitation(email)
    const worker = await startWorker(t, organization)
    let second: ReturnType<typeof join> | undefined
    await whileHeld(
      'subscriptions',
      () => join(worker.url, key, email),
      async () => {
        second = join(bystander.url, key, email)
        await eventually('the second one waits', async () => (await waiting()) > 0)
        await worker.kill()
      },
    )
    t.match(await second, { status: 302, location: '/' })
    await eventually('the jobs are done', async () => (await sql`select from jobs where kind = 'notice'`).length === 0)
    const once = { accounts: 1, subscriptions: 1, invitations: 0, confirmations: 0, notices: 2, greetings: 1 }
    t.same(await facts(email), once, 'one account, with everything once')
  })

  await t.test('a worker is killed while a person sets a new password', async t => {
    const person = await bystander.person()
    await givePassword(sql, person)
    const session = await new Browser(bystander.url).signIn(person)
    await new PageClient(bystander.url).post('/accounts/password/reset/', { email: person.email })
    const link = /\/accounts\/password\/reset\/\S+/.exec(
      (await mails()).findLast(mail => mail.to === person.email && mail.text.includes('/password/reset/'))?.text ?? '',
    )
    const set = async (url: string) => {
      const browser = new Browser(url)
      const form = (await browser.page('GET', link?.[0] ?? '')).headers.get('location') ?? ''
      const fields = { new_password1: 'eight small iron bridges', new_password2: 'eight small iron bridges' }
      return browser.page('POST', form, { form: fields })
    }
    const signIn = async (word: string) =>
      (await bystander.api(null).post('/fetch_api_key', { username: person.email, password: word })).status
    const changes = () =>
      sql`select from audit_log where event = 'password_change' and subject ->> 'user_id' = ${String(person.id)}`

    const worker = await startWorker(t, organization)
    await whileHeld('audit_log', () => set(worker.url), worker.kill)
    t.same([await signIn(password), (await changes()).length], [200, 0], 'the former password counts')
    t.match(await session.json('GET', '/users/me'), { status: 200 }, 'and so does the session')
    t.equal((await set(bystander.url)).headers.get('location'), '/accounts/password/done/', 'the link is still good')
    t.same([await signIn(password), await signIn('eight small iron bridges'), (await changes()).length], [401, 200, 1])
    t.match(await session.json('GET', '/users/me'), { status: 401 })
    t.equal((await new Browser(bystander.url).page('GET', link?.[0] ?? '')).status, 404, 'the link is used up')
  })
})
