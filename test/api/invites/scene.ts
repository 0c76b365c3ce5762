import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Loose } from '../../support/in-step.js'
import { newMails } from '../../support/mails.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

export const refused = (code: string): Loose => ({ status: 400, body: { result: 'error', code } })
export const failed = (errors: readonly unknown[], sent_invitations: boolean): Loose => ({
  status: 400,
  body: {
    code: 'INVITATION_FAILED',
    errors,
    sent_invitations,
    license_limit_reached: false,
    daily_limit_reached: false,
  },
})

/** A server with its clock and the mails that it has sent, and people of some roles. */
export async function scene(t: Test) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-invites-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startServer(t, { DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const time = { now: Date.now() }
  server.ctx.clock.now = () => time.now
  const owner = await server.person({ role: 100 })
  const admin = await server.person({ role: 200 })
  const member = await server.person()
  const invite = (who: Person, invitee_emails: string, more: Loose = {}) =>
    who.post('/invites', { invitee_emails, stream_ids: [], ...more })
  const link = (who: Person, more: Loose = {}) => who.post('/invites/multiuse', more)
  const invites = async (who: Person): Promise<Loose[]> => (await who.ok('GET', '/invites')).invites
  /** Invites an address, and returns the entry of the list. */
  const invited = async (who: Person, email: string, more: Loose = {}): Promise<Loose> => {
    await who.ok('POST', '/invites', { invitee_emails: email, stream_ids: [], ...more })
    return (await invites(who)).filter(one => one.email === email).at(-1) as Loose
  }
  const linked = async (who: Person, more: Loose = {}): Promise<Loose> => {
    const { invite_link } = await who.ok('POST', '/invites/multiuse', more)
    return (await invites(who)).find(one => one.link_url === invite_link) as Loose
  }
  const channel = async (who: Person, name: string, more: Loose = {}): Promise<number> => {
    await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more })
    return (await who.ok('GET', '/get_stream_id', { stream: name })).stream_id
  }
  return {
    server,
    time,
    owner,
    admin,
    member,
    mails: newMails(server.sql, dataDir),
    invite,
    link,
    invites,
    invited,
    linked,
    channel,
  }
}
