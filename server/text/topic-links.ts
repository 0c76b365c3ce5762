import { budgets } from '../config/budgets.js'
import { LinkifierBudget } from './linkifier-budget.js'
import { addBetween, findLinks } from './linkifiers.js'
import { bareUrlEnd } from './links.js'
import type { Found, Names } from './names.js'

/** The `topic_links` of a message: linkifier matches and URLs in its topic, in the order of the text. */
export function topicLinks(topic: string, names: Pick<Names, 'linkifiers'>): { text: string; url: string }[] {
  const matches = findLinks(topic, names, new LinkifierBudget(budgets.topicLinkifierSteps.most))
  return addBetween(matches, bareLinks(topic)).map(({ start, end, url }) => ({ text: topic.slice(start, end), url }))
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
