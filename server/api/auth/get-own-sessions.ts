import { z } from 'zod'
import { anyHuman } from '../../policies/allow.js'
import { sessionsOf } from '../../store/accounts/sessions.js'
import { route } from '../route.js'

const session = z.object({
  id: z.int(),
  method: z
    .string()
    .describe(
      'How you signed in: `password`, `password+` with `code`, `recovery code` or `passkey`, `passkey`, the name of a provider (`oidc:company`), `key` (a page of 0.1.0) or `demonstration`; in a desktop app `token ` and one of these.',
    ),
  device: z.string().describe('Browser and system, as the browser named them; may be empty.'),
  address: z.string().describe('The address from which you signed in.'),
  created: z.int().describe('UNIX seconds.'),
  last_used: z.int().describe('UNIX seconds; some minutes old at most.'),
  is_current: z.boolean().describe('Whether the session made this request.'),
})

export const getOwnSessions = route({
  operation: 'get_own_sessions',
  method: 'GET',
  path: '/users/me/sessions',
  doc: 'Lists your sessions of pages, the one that was used last first.',
  allow: anyHuman,
  params: z.object({}),
  returns: z.object({ sessions: z.array(session) }),
  errors: [],
  async handle({ ctx: { sql, clock }, actor }) {
    const rows = await sessionsOf(sql, actor.user.id, new Date(clock.now()))
    const sessions = rows.map(({ created, last_used, ...row }) => ({
      ...row,
      created: seconds(created),
      last_used: seconds(last_used),
      is_current: row.id === actor.sessionId,
    }))
    return { sessions }
  },
})

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)
