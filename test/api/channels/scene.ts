import type { WorkerCtx } from '../../../server/ctx.js'
import { type Loose, Listener as StateListener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'

export { kinds, type Loose } from '../../support/in-step.js'

let named = 0

/** A name that no other channel of the test's organization has. */
export const freshName = (what = 'channel'): string => `${what} ${++named}`

const fetchTypes = [
  'stream',
  'subscription',
  'default_streams',
  'default_stream_groups',
  'channel_folders',
  'realm_user',
]

const capabilities = { archived_channels: true, notification_settings_null: true }

export type Listener = StateListener

/** A user's client that receives events about channels from now on. */
export const Listener = {
  start: (ctx: WorkerCtx | readonly WorkerCtx[], person: Person, params: Loose = {}): Promise<StateListener> =>
    StateListener.start(ctx, person, {
      fetch_event_types: fetchTypes,
      event_types: ['stream', 'subscription', 'default_streams', 'realm_user'],
      client_capabilities: capabilities,
      ...params,
    }),
}
