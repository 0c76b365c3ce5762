import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { Condition } from '../../params/conditions.js'
import { json, listWithRepeats, text } from '../../params/schemas.js'

const { most } = budgets.recipients
const tooManyPeople = () => badRequest(`A conversation has at most ${most} people.`)
const one = [text(budgets.recipientsCharacters.most), z.int()] as const

/** Over HTTP `to` is text: JSON, or an unquoted channel name or list of emails. */
export const toParam = json(z.union([...one, listWithRepeats(z.int(), most), listWithRepeats(text(), most)]), {
  lists: [most],
  refusal: tooManyPeople,
})

type To = z.output<typeof toParam>

/** A channel message goes to one channel. */
export const oneChannel: Condition<'type' | 'to'> = {
  when: { type: ['channel', 'stream'] },
  holds: { to: z.union([...one, z.array(z.union([z.int(), text()])).length(1)]).describe('one channel') },
  refusal: 'Expected exactly one channel',
}

/** The channel that `to` identifies, by id or name. */
export const channelParam = (to: To): number | string => (Array.isArray(to) ? (to[0] as number | string) : to)

/** The users that `to` identifies: all by id or all by email. @throws {ApiError} BAD_REQUEST */
export function peopleParam(to: To): number[] | string[] {
  if (typeof to === 'number') return [to]
  const given = typeof to === 'string' ? to.split(',') : to
  if (given.length > most) throw tooManyPeople()
  const list = [...new Set<number | string>(given)]
  if (list.every(one => typeof one === 'number')) return list
  return (list as string[]).map(email => email.trim()).filter(email => email !== '')
}
