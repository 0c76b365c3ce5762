import type { Sql } from '../store/driver/db.js'
import { AcceptedHeaders } from './accepted-headers.js'
import { AcceptedSessions } from './accepted-sessions.js'
import { ActiveChannels } from './active-channels.js'
import { ChannelDetailsMemory } from './channel-details.js'
import { ChannelIndex } from './channel-index.js'
import { ChannelLists } from './channel-lists.js'
import { ChannelSubscribers } from './channel-subscribers.js'
import { ChannelTopics } from './channel-topics.js'
import { Conversations } from './conversations.js'
import type { Directory } from './directory.js'
import { EncodedMessages } from './encoded-messages.js'
import { GrownMessages } from './grown-messages.js'
import { KnownTopics } from './known-topics.js'
import { PushAccounts } from './push-accounts.js'
import { SearchIndex } from './search-index.js'
import { wordStems } from './word-stems.js'

/**
 * What a worker remembers beside the directory (docs/architecture.md "What a worker remembers"). Each part states where its content comes
 * from, which version says that it is still right, its bound, and what drops it.
 */
export class Memory {
  readonly acceptedHeaders: AcceptedHeaders
  readonly acceptedSessions: AcceptedSessions
  readonly activeChannels = new ActiveChannels()
  readonly channelDetails = new ChannelDetailsMemory()
  readonly channelIndex = new ChannelIndex()
  readonly channelLists: ChannelLists
  readonly channelTopics = new ChannelTopics()
  readonly conversations: Conversations
  readonly encodedMessages: EncodedMessages
  readonly grownMessages = new GrownMessages()
  readonly knownTopics = new KnownTopics()
  readonly pushAccounts: PushAccounts
  readonly searchIndex: SearchIndex
  readonly stemsIn = wordStems()
  readonly subscribers: ChannelSubscribers

  constructor(sql: Sql, directory: Directory) {
    this.acceptedHeaders = new AcceptedHeaders(directory)
    this.acceptedSessions = new AcceptedSessions(directory)
    this.channelLists = new ChannelLists(sql)
    this.conversations = new Conversations(sql)
    this.encodedMessages = new EncodedMessages(directory)
    this.pushAccounts = new PushAccounts(sql)
    this.searchIndex = new SearchIndex(sql, directory)
    this.subscribers = new ChannelSubscribers(sql, directory)
  }
}
