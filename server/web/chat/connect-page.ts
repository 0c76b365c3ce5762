import { type Client, connect, type Position } from '../../../shared/client/index.js'
import { eventTypes } from '../state/apply-event.js'
import { capabilities, fetchTypes } from '../state/from-register.js'

interface Options {
  /** The place in a queue to continue from; undefined: the client registers a queue. */
  readonly resume: Position | undefined
}

/** Connects to this server as the account of the browser's session, for the events that the page handles. */
export const connectPage = ({ resume }: Options): Client =>
  connect({
    url: location.origin,
    bySession: true,
    // A browser parses JSON by itself, faster than a script decodes MessagePack.
    codec: 'json',
    isCompressed: true,
    // Shorter delays than the default, because a user watches the page.
    backoff: { firstMs: 400, maxMs: 4000 },
    ...(resume && { resume }),
    register: {
      apply_markdown: true,
      // Only uploaded pictures are shown, so that their addresses are all that is sent.
      client_gravatar: true,
      event_types: eventTypes,
      fetch_event_types: fetchTypes,
      client_capabilities: capabilities,
      slim_presence: true,
      // A profile is fetched when it is opened.
      slim_users: true,
      // A laptop that sleeps for an hour can resume its queue.
      idle_queue_timeout: 3600,
    },
  })
