declare module 'zulip-js' {
  // biome-ignore lint/suspicious/noExplicitAny: the package ships no types; its answers are JSON bodies
  type Json = any
  type Call = (params?: Record<string, unknown>) => Promise<Json>
  export interface ZulipClient {
    config: { apiKey: string }
    accounts: { retrieve: Call }
    streams: {
      retrieve: Call
      getStreamId: (name: string) => Promise<Json>
      subscriptions: { retrieve: Call }
      topics: { retrieve: Call }
    }
    messages: {
      retrieve: Call
      send: Call
      update: Call
      getById: Call
      deleteById: Call
      deleteReactionById: Call
      flags: { add: Call; remove: Call }
    }
    queues: { register: Call; deregister: Call }
    events: { retrieve: Call }
    users: { retrieve: Call; me: { getProfile: Call; subscriptions: { add: Call; remove: Call } } }
    typing: { send: Call }
    reactions: { add: Call; remove: Call }
    server: { settings: Call }
    callOnEachEvent(callback: (event: Json) => void, eventTypes?: string[]): Promise<never>
  }
  export default function zulip(config: {
    username: string
    apiKey?: string
    password?: string
    realm: string
  }): Promise<ZulipClient>
}
