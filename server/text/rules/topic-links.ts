import { budgets } from '../../config/budgets.js'
import { LinkifierBudget } from '../linkifier-budget.js'
import type { Found, Names } from '../names.js'
import { addressesIn } from './addresses.js'
import { addBetween, findLinks } from './linkifiers.js'
import { hrefOf } from './links.js'

/** The `topic_links` of a message: linkifier matches and addresses in its topic, in the order of the text. */
export function topicLinks(topic: string, names: Pick<Names, 'linkifiers'>): { text: string; url: string }[] {
  const budget = new LinkifierBudget(budgets.topicLinkifierSteps.most)
  const matches = findLinks(topic, { linkifiers: names.linkifiers, origin: '' }, budget)
  return addBetween(matches, bareLinks(topic)).map(({ start, end, url }) => ({ text: topic.slice(start, end), url }))
}

/** At most one address in each word. */
function bareLinks(topic: string): Found[] {
  const links: Found[] = []
  for (const { 0: word, index } of topic.matchAll(/[^ !;),'"]+/g)) {
    const [found] = addressesIn(word)
    if (!found) continue
    const text = word.slice(found.start, found.end)
    // Where a message would have `http:`, the server's own choice is the safe scheme.
    const url = hrefOf(/^(?:https?|bitcoin):|^[^/?]*@/.test(text) ? text : `https://${text}`, '')
    if (url !== undefined) links.push({ start: index + found.start, end: index + found.end, url })
  }
  return links
}
