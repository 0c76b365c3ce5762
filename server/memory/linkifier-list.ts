import { LRUCache } from 'lru-cache'
import type { Linkifier } from '../../shared/resources/linkifier.js'
import type { TopicLink } from '../../shared/resources/message.js'
import { compileLinkifier } from '../text/compile-linkifier.js'
import type { Linkifier as ReadyLinkifier } from '../text/names.js'
import { topicLinks } from '../text/rules/topic-links.js'

// Topics in the cache: as many as one page of messages can have, about 1 MB.
const maxTopics = 5000

/** All linkifiers in their order, as of an organization version; compiled at first use. */
export class LinkifierList {
  private compiled: readonly ReadyLinkifier[] | undefined
  private readonly ofTopics = new LRUCache<string, TopicLink[]>({
    maxSize: maxTopics,
    sizeCalculation: () => 1,
    memoMethod: topic => topicLinks(topic, { linkifiers: this.ready }),
  })

  constructor(
    readonly version: number,
    readonly all: readonly Linkifier[],
  ) {}

  get ready(): readonly ReadyLinkifier[] {
    this.compiled ??= this.all.map(compileLinkifier)
    return this.compiled
  }

  /** The `topic_links` of a topic, from a cache. */
  topicLinks(topic: string): TopicLink[] {
    return this.ofTopics.memo(topic)
  }
}
