import { Effort } from './effort.js'
import { findLinks } from './linkifiers.js'
import { bareUrlEnd } from './links.js'
import type { Found, Names } from './names.js'

// A topic is short, and a page of messages may have thousands of them.
const topicSteps = 1_000_000

/** The `topic_links` of a message: linkifier matches and bare addresses in its topic, in reading order. */
export function topicLinks(topic: string, names: Pick<Names, 'linkifiers'>): { text: string; url: string }[] {
  const matches = findLinks(topic, names, new Effort(topicSteps))
  const free = bareLinks(topic).filter(link => matches.every(m => link.end <= m.start || link.start >= m.end))
  return [...matches, ...free]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, url }) => ({ text: topic.slice(start, end), url }))
}

function bareLinks(topic: string): Found[] {
  const links: Found[] = []
  const scheme = /\bhttps?:\/\//gi
  for (let found = scheme.exec(topic); found; found = scheme.exec(topic)) {
    const end = bareUrlEnd(topic, found.index, topic.length)
    if (end > scheme.lastIndex) links.push({ start: found.index, end, url: topic.slice(found.index, end) })
    scheme.lastIndex = Math.max(end, scheme.lastIndex)
  }
  return links
}
