import t from 'tap'
import { Api } from '../support/http.js'
import { newMails } from '../support/mails.js'
import { startServer, testOrganization } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { startWorker } from './support/killable-worker.js'
import { eventually } from './support/wait.js'

const messagesPerKill = 20

t.test('a worker is killed while it decides and mails', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const bystander = await startServer(t, {}, organization)
  const mails = newMails(sql, bystander.config.dataDir)
  const [sender, reader] = [await bystander.person(), await bystander.person()]
  const sent: string[] = []

  /** Messages through this worker; each of them was acknowledged. */
  async function send(url: string): Promise<number> {
    const api = new Api(url, sender.who)
    let newest = 0
    for (let i = 0; i < messagesPerKill; i++) {
      const content = `message ${sent.length}.`
      newest = (await api.ok('POST', '/messages', { type: 'direct', to: [reader.id], content })).id
      sent.push(content)
    }
    return newest
  }

  const decided = (id: number) =>
    eventually('the messages are decided', async () => {
      const [row] = await sql<{ message_id: number }[]>`select message_id from notification_progress`
      return (row?.message_id ?? 0) >= id
    })

  /** Runs `work`, kills the worker when a statement waits for this lock, and releases it. */
  async function killWhileHeld(
    trigger: string,
    work: () => Promise<unknown>,
    kill: () => Promise<void>,
  ): Promise<void> {
    const holder = await sql.reserve()
    await sql.unsafe(`
      create function wait_here() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
      create trigger waits before insert on ${trigger} execute function wait_here()`)
    await holder`select pg_advisory_lock(4711)`
    await work()
    await eventually('the statement waits', async () => {
      const rows = await holder`select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`
      return rows.length > 0
    })
    await kill()
    await holder`select pg_advisory_unlock(4711)`
    holder.release()
    await eventually('its transaction has ended', async () => {
      const rows = await sql`select from pg_locks where locktype = 'advisory' and objid = 4711`
      return rows.length === 0
    })
    await sql.unsafe(`drop trigger waits on ${trigger.split(' ')[0]}; drop function wait_here()`)
  }

  const mailNow = async () => {
    await sql`update jobs set due = now() where key = ${`missed messages ${reader.id}`}`
  }

  for (let round = 0; round < rounds; round++) {
    sent.length = 0
    const first = await startWorker(t, organization)
    const holder = await sql.reserve()
    await holder`begin`
    await holder`select from notification_progress for update`
    const newest = await send(first.url)
    await first.kill()
    await holder`commit`
    holder.release()
    await decided(newest)

    const second = await startWorker(t, organization)
    let last = 0
    const sends = async () => {
      last = await send(second.url)
    }
    await killWhileHeld('missed_messages for each row', sends, second.kill)
    await decided(last)

    const third = await startWorker(t, organization)
    await killWhileHeld(`jobs for each row when (new.kind = 'mail')`, mailNow, third.kill)
    await eventually('the mail is made', async () => {
      bystander.jobs.look()
      return (await sql`select from missed_mails where user_id = ${reader.id}`).length === 0
    })
    t.same(
      [
        ...(await sql`select count(*)::int as rows, count(handled)::int as handled from missed_messages where user_id = ${reader.id}`),
      ],
      [{ rows: sent.length * (round + 1), handled: sent.length * (round + 1) }],
    )
    const [mail, ...more] = (await mails()).filter(one => one.to.includes(reader.email))
    t.same(more, [], 'one mail')
    for (const content of sent) t.equal(mail?.text.split(content).length, 2, content)
  }
})
