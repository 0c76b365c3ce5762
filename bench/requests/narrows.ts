import type { Account } from '../lib/load-protocol.js'
import { asks, type LoadRequest } from '../lib/request-load.js'
import type { Result } from '../lib/result.js'
import { measureRequests, type RequestCase } from './measure.js'

const size = '100'
const sought = (operand: string) => ({ operator: 'search', operand })
const search = sought('budget')
const link = { operator: 'has', operand: 'link' }
const unread = { operator: 'is', operand: 'unread' }
const monthAgo = new Date(Date.now() - 30 * 24 * 3_600_000).toISOString()
const own = { operator: 'sender', operand: 'me' }

/** Measures pages of messages of which the ids must be searched for among all that the reader received. */
export const narrows = (args: string[]): Promise<Result> =>
  measureRequests(args, async ({ seeded }) => {
    const [most] = await seeded.rows<{ id: number }>(
      'select sender_id as id from messages group by sender_id order by count(*) desc limit 1',
    )
    const [phrase] = await seeded.rows<{ text: string }>(
      "select substring(content from '[一-龥]{5}') as text from messages where content ~ '[一-龥]{5}' order by id limit 1",
    )
    if (!most || !phrase) throw new Error('nothing was said')
    const readers = {
      'many channels': [await seeded.owner(), ...(await seeded.people(49))],
      'few channels': [...(await seeded.people(25, 400, 'fewest')), ...(await seeded.people(25, 600, 'fewest'))],
    }
    const casesOf = (name: string, request: (one: Account) => LoadRequest, atMostPostgresMs = 5) =>
      Object.entries(readers).map(
        ([who, people]): RequestCase => ({
          name: `${name}, ${who}`,
          requests: people.map(request),
          floor: { kind: 'bytes' },
          atMostPostgresMs,
          atMostP99Ms: 50,
        }),
      )
    const of = (name: string, narrow: readonly object[], anchor = 'newest') => {
      const page = { anchor, num_before: size, num_after: anchor === 'newest' ? '0' : size }
      const params = { ...page, narrow: JSON.stringify(narrow) }
      return casesOf(name, one => asks('GET', '/messages', one, params), anchor === 'newest' ? 5 : 3)
    }
    const summaryOf = (name: string, text: string) => {
      const params = { narrow: JSON.stringify([sought(text)]), num_relevant: size }
      return casesOf(name, one => asks('GET', '/messages/search_summary', one, params), 20)
    }
    return [
      ...of('all', []),
      ...of('first unread', [], 'first_unread'),
      ...of('unread', [unread]),
      ...of('direct', [{ operator: 'is', operand: 'dm' }]),
      ...of('own', [own]),
      ...of('a busy sender', [{ operator: 'sender', operand: most.id }]),
      ...of('mentions', [{ operator: 'is', operand: 'mentioned' }]),
      ...of('starred', [{ operator: 'is', operand: 'starred' }]),
      ...of('link', [link]),
      ...of('reaction', [{ operator: 'has', operand: 'reaction' }]),
      ...of('frequent word', [search]),
      ...of('word of none', [sought('xylophone')]),
      ...of('frequent prefix', [sought('budg')]),
      ...of('rare prefix', [sought('quistsk')]),
      ...of('prefix of none', [sought('xylo')]),
      ...of('frequent pair', [sought('会议')]),
      ...of('phrase of five characters', [sought(`"${phrase.text}"`)]),
      ...of('word before the last month', [search, { operator: 'before', operand: monthAgo }]),
      ...of('word and link', [search, link]),
      ...of('word and own', [search, own]),
      ...of('word, link and unread', [search, link, unread]),
      ...summaryOf('summary of a frequent word', 'budget'),
      ...summaryOf('summary with near words', 'budgett'),
    ]
  })
